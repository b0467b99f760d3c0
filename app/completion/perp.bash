# bash completion for perp; the program itself knows the words. Load it by
#   source <(perp completion bash)
_perp() {
  local current=$2 word line i start path
  # What follows ':' or '=' is a word of its own for bash: put the words back together.
  local -a words=()
  line=${COMP_LINE:0:COMP_POINT}
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[-1]}
  start=${current%"${current##*[:=]}"}
  path=$current # pd: is no folder whose files follow
  [[ $current == --*=* ]] && path=${current#*=}
  COMPREPLY=()
  compopt +o nospace 2>/dev/null
  while IFS=$'\t' read -r word _; do
    case $word in
    :files)
      while IFS= read -r i; do
        [[ -d $i ]] && i+=/ && compopt -o nospace 2>/dev/null
        COMPREPLY+=("${i#"${start#"${current%"$path"}"}"}")
      done < <(compgen -f -- "$path")
      ;;
    *)
      [[ $word == *[=:] ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${word#"$start"}")
      ;;
    esac
  done < <("${words[0]/#\~/$HOME}" completion words -- "${words[@]:1}" 2>/dev/null)
}
complete -F _perp perp
