# Completion of shoeboard for bash: verbs, then the flags that the verb's help names.
_shoeboard() {
	local word=${COMP_WORDS[COMP_CWORD]} line verb= sub=
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) ;;
		*) if [ -z "$verb" ]; then verb=${COMP_WORDS[i]}; elif [ -z "$sub" ]; then sub=${COMP_WORDS[i]}; fi ;;
		esac
	done
	local help choices
	help=$(shoeboard $verb $sub --help 2>/dev/null) || help=$(shoeboard $verb --help 2>/dev/null)
	if [[ $word == -* ]]; then
		choices=$(grep -o -- '--[a-z][a-z-]*' <<<"$help")
	else
		# "  config init [flags]" or "  run [flags]" among the commands
		choices=$(sed -n "s/^  ${verb:+$verb }\([a-z][a-z-]*\).*/\1/p" <<<"$help")
	fi
	COMPREPLY=($(compgen -W "$choices" -- "$word"))
	[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _shoeboard shoeboard
