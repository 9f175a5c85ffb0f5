import { FILES } from './choices.js'

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

/** Scripts that ask `bearing complete` for what can follow. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  // bash takes ":" for a word of its own, and replaces what follows it.
  bash: `# bash completion of bearing
_bearing() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD head='' found IFS=$'\\n'
  while ((at > 1)) && [[ \${COMP_WORDS[at]} == ':' || \${COMP_WORDS[at-1]} == ':' ]]; do
    cur=\${COMP_WORDS[--at]}$cur
    head=\${cur%"\${cur##*:}"}
  done
  [[ $cur == '=' ]] && cur=''
  found=$(bearing complete -- "\${COMP_WORDS[@]:1:at-1}" "$cur" 2>/dev/null | cut -f1)
  if [[ $found == '${FILES}' ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$found" -- "$cur"))
  fi
  COMPREPLY=("\${COMPREPLY[@]#"$head"}")
}
complete -F _bearing bearing`,
  zsh: `#compdef bearing
# zsh completion of bearing
_bearing() {
  local -a found described
  local line
  found=("\${(f)$(bearing complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  if [[ $found[1] == '${FILES}' ]]; then _files; return; fi
  for line in $found; do described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  _describe 'bearing' described
}
compdef _bearing bearing`,
  fish: `# fish completion of bearing
function __bearing_complete
  set -l found (bearing complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test "$found[1]" = '${FILES}'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c bearing -f -a '(__bearing_complete)'`,
  // Without a result PowerShell completes file names.
  powershell: `# PowerShell completion of bearing
Register-ArgumentCompleter -Native -CommandName bearing -ScriptBlock {
  param($word, $line, $position)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  $last = if ($word) { $word } else { '""' }
  bearing complete '--' @typed $last 2>$null | Where-Object { $_ -ne '${FILES}' } | ForEach-Object {
    $value, $meaning = $_.Split([char]9)
    if ($value.StartsWith($word)) {
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', "$value $meaning")
    }
  }
}`,
}
