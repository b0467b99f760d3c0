#compdef perp
# zsh completion for perp; the program itself knows the words. Put it into a folder of $fpath as
# _perp, or load it by
#   source <(perp completion zsh)
_perp() {
  local line word text
  local -a described described_open
  while IFS=$'\t' read -r word text; do
    if [[ $word == :files ]]; then
      _files
    elif [[ $word == *[=:] ]]; then
      described_open+=("${word//:/\\:}${text:+:$text}")
    else
      described+=("${word//:/\\:}${text:+:$text}")
    fi
  done < <("${words[1]/#\~/$HOME}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( $#described )) && _describe -V perp described
  (( $#described_open )) && _describe -V perp described_open -S ''
}
if [[ $funcstack[1] == _perp ]]; then
  _perp "$@"
else
  compdef _perp perp
fi
