import { namesOf, type Flag, type Place } from './command-tree.js'

/** Returns a bash completion script. It contains the whole command tree, so Tab starts no process. */
export function bashCompletion(places: readonly Place[]): string {
  const [program] = places
  const flags = places.flatMap((place) => place.flags)
  const withValue = [...new Set(flags.filter((flag) => flag.takesValue).flatMap(namesOf))]
  const globals = (program?.flags ?? []).map((flag) => flag.name)
  return `# bash completion of bearing
_bearing() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place='' skip=0 i word
  # bash takes "=" for a word of its own
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if ((skip)); then skip=0; continue; fi
    case $word in
      ${withValue.join('|')}) skip=1 ;;
      -*) ;;
      *) case "\${place:+$place }$word" in
           ${places.flatMap(({ path }) => (path ? [`'${path}'`] : [])).join('|')}) place="\${place:+$place }$word" ;;
         esac ;;
    esac
  done
  case "$place $prev" in
${places
  .flatMap(({ path, flags: own }) =>
    own
      .filter(({ takesValue }) => takesValue)
      .map(
        (flag) =>
          `    ${patternOf(path, flag)}) COMPREPLY=($(compgen -W '${flag.values.join(' ')}' -- "$cur")); return ;;`,
      ),
  )
  .join('\n')}
  esac
  local choices='' flags='' files=0
  case $place in
${places
  .map(
    ({ path, choices, flags: own, takesFiles }) =>
      `    '${path}') choices='${choices.map(({ value }) => value).join(' ')}' flags='${own.map(({ name }) => name).join(' ')}' files=${takesFiles ? '1' : '0'} ;;`,
  )
  .join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags ${globals.join(' ')}" -- "$cur"))
  elif ((files)); then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$choices" -- "$cur"))
  fi
}
complete -F _bearing bearing`
}

/** Matches a place and the word before the cursor; global flags may be anywhere. */
function patternOf(path: string, flag: Flag): string {
  return namesOf(flag)
    .map((name) => (path ? `'${path} ${name}'` : `*' ${name}'`))
    .join('|')
}
