import { LIST_CONTEXTS, namesOf, type Flag, type Place } from './command-tree.js'

/** Returns a bash completion script. It contains the whole command tree: Tab starts a process for names of contexts only. */
export function bashCompletion(places: readonly Place[]): string {
  const [program] = places
  const flags = places.flatMap((place) => place.flags)
  const withValue = [...new Set(flags.filter((flag) => flag.takesValue).flatMap(namesOf))]
  const globals = (program?.flags ?? []).map((flag) => flag.name)
  return `# bash completion of bearing
${ENTRY}
_bearing_complete() {
  local prev=\${COMP_WORDS[at-1]} place='' skip=0 i word
  # bash takes "=" for a word of its own, too
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[at-2]}; fi
  for ((i = 1; i < at; i++)); do
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
          `    ${patternOf(path, flag)}) COMPREPLY=($(compgen -W ${valuesOf(flag)} -- "$cur")); return ;;`,
      ),
  )
  .join('\n')}
  esac
  local choices='' flags='' files=0
  case $place in
${places
  .map(
    ({ path, choices, flags: own, takesFiles, takesContext }) =>
      `    '${path}') choices=${takesContext ? CONTEXTS : `'${choices.map(({ value }) => value).join(' ')}'`} flags='${own.map(({ name }) => name).join(' ')}' files=${takesFiles ? '1' : '0'} ;;`,
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

/** What bash calls. The other function gets what has been typed as one word, even with colons. */
const ENTRY = `_bearing() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD head=''
  # bash takes ":" for a word of its own, and replaces what follows it
  while ((at > 1)) && [[ \${COMP_WORDS[at]} == ':' || \${COMP_WORDS[at-1]} == ':' ]]; do
    cur=\${COMP_WORDS[--at]}$cur
    head=\${cur%"\${cur##*:}"}
  done
  _bearing_complete
  COMPREPLY=("\${COMPREPLY[@]#"$head"}")
}`

/** Names never contain white space. */
const CONTEXTS = `"$(${LIST_CONTEXTS})"`

function valuesOf({ values, takesContext }: Flag): string {
  return takesContext ? CONTEXTS : `'${values.join(' ')}'`
}

/** Matches a place and the word before the cursor; global flags may be anywhere. */
function patternOf(path: string, flag: Flag): string {
  return namesOf(flag)
    .map((name) => (path ? `'${path} ${name}'` : `*' ${name}'`))
    .join('|')
}
