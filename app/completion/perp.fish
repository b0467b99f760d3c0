# fish completion for perp; the program itself knows the words. Load it by
#   perp completion fish | source
function __perp_words
    set -l words (commandline --tokenize --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    set -l program $words[1]
    set -e words[1]
    for line in ($program completion words -- $words "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete --command perp --no-files --keep-order --arguments '(__perp_words)'
