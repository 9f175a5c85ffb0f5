import { LIST_CONTEXTS, namesOf, type Choice, type Place } from './command-tree.js'

/** Returns a zsh completion script with descriptions. */
export function zshCompletion(places: readonly Place[]): string {
  const [program] = places
  const withValue = [
    ...new Set(places.flatMap(({ flags }) => flags.filter(({ takesValue }) => takesValue).flatMap(namesOf))),
  ]
  const described = (flags: Place['flags']) => flags.map(({ name, meaning }) => ({ value: name, meaning }))
  return `#compdef bearing
# zsh completion of bearing
_bearing() {
  local place='' skip=0 i word prev=\${words[CURRENT-1]}
  local -aU choices flags
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if ((skip)); then skip=0; continue; fi
    case $word in
      ${withValue.join('|')}) skip=1 ;;
      -*) ;;
      *) case "\${place:+$place }$word" in
           ${places.flatMap(({ path }) => (path ? [`'${path}'`] : [])).join('|')}) place="\${place:+$place }$word" ;;
         esac ;;
    esac
  done
  if ((skip)); then
    case "$place $prev" in
${places
  .flatMap(({ path, flags }) =>
    flags
      .filter(({ values, takesContext }) => values.length > 0 || takesContext)
      .map((flag) => {
        const pattern = namesOf(flag).map((name) => (path ? `'${path} ${name}'` : `*' ${name}'`))
        return `      ${pattern.join('|')}) compadd -- ${flag.takesContext ? CONTEXTS : flag.values.join(' ')} ;;`
      }),
  )
  .join('\n')}
    esac
    return
  fi
  case $place in
${places
  .map(
    ({ path, choices, flags, takesFiles, takesContext }) =>
      `    '${path}') choices=(${list(choices)}) flags=(${list(described(flags))})${takesFiles ? orElse('_files') : takesContext ? orElse(`compadd -- ${CONTEXTS}`) : ''} ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    flags+=(${list(described(program?.flags ?? []))})
    _describe -o 'option' flags
  elif (( \${#choices} )); then
    _describe 'command' choices
  fi
}
compdef _bearing bearing`
}

/** One word for each line. */
const CONTEXTS = `\${(f)"$(${LIST_CONTEXTS})"}`

/** Completes something else than commands, unless a flag has begun. */
function orElse(command: string): string {
  return `\n      [[ $PREFIX == -* ]] || { ${command}; return }`
}

/** Formats words for \`_describe\`: \`word:meaning\`, with colons escaped. */
function list(choices: readonly Choice[]): string {
  return choices.map(({ value, meaning }) => `'${escape(value)}:${escape(meaning)}'`).join(' ')
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll("'", "'\\''")
}
