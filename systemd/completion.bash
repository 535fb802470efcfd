# Completion of shoeboard for bash: verbs, then the flags that the verb's help names.

# _shoeboard_verbs gives the verbs that the help of verb $1 (empty: of all) lists, as
# "  config init [flags]" or "  run [flags]".
_shoeboard_verbs() { sed -n "s/^  ${1:+$1 }\([a-z][a-z-]*\)\( .*\)*$/\1/p" | sort -u; }

_shoeboard() {
	local word=${COMP_WORDS[COMP_CWORD]} verb='' help choices i
	help=$(shoeboard --help 2>/dev/null)
	for ((i = 1; i < COMP_CWORD; i++)); do # what is no verb here is a flag, its value or an argument
		if _shoeboard_verbs "$verb" <<<"$help" | grep -qxF -- "${COMP_WORDS[i]}"; then
			verb=${verb:+$verb }${COMP_WORDS[i]}
			help=$(shoeboard $verb --help 2>/dev/null)
		fi
	done
	if [[ $word == -* ]]; then
		choices=$(grep -o -- '^ *\(-[a-z], \)\?--[a-z][a-z-]*' <<<"$help" | grep -o -- '--.*')
	else
		choices=$(_shoeboard_verbs "$verb" <<<"$help")
	fi
	COMPREPLY=($(compgen -W "$choices" -- "$word"))
	[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _shoeboard shoeboard
