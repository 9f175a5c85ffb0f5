import { LIST_CONTEXTS, namesOf, type Flag, type Place } from './command-tree.js'

/** Returns a fish completion script with descriptions. */
export function fishCompletion(places: readonly Place[]): string {
  const withValue = [
    ...new Set(places.flatMap(({ flags }) => flags.filter(({ takesValue }) => takesValue).flatMap(namesOf))),
  ]
  return `# fish completion of bearing
function __bearing_at
  set -l place
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${withValue.join(' ')}
        set skip 1
      case '-*'
      case '*'
        switch (string join ' ' $place $word)
          case ${places.flatMap(({ path }) => (path ? [`'${path}'`] : [])).join(' ')}
            set place $place $word
        end
    end
  end
  test "$place" = "$argv[1]"
end
function __bearing_contexts
  ${LIST_CONTEXTS}
end
complete -c bearing -f
${places.flatMap(linesOf).join('\n')}`
}

function linesOf({ path, choices, flags, takesFiles, takesContext }: Place): string[] {
  // Global flags are valid everywhere, everything else only at its node.
  const here = `complete -c bearing -n '__bearing_at "${path}"'`
  return [
    ...choices.map(({ value, meaning }) => `${here} -a ${value} -d ${quote(meaning)}`),
    ...(takesFiles ? [`${here} -F`] : []),
    ...(takesContext ? [`${here} -a '(__bearing_contexts)'`] : []),
    ...flags.map((flag) => flagLine(path === '' ? 'complete -c bearing' : here, flag)),
  ]
}

function flagLine(start: string, { name, short, meaning, takesValue, values, takesContext }: Flag): string {
  const offered = takesContext ? '(__bearing_contexts)' : values.join(' ')
  const value = offered === '' ? (takesValue ? ' -x' : '') : ` -x -a ${quote(offered)}`
  const initial = short === undefined ? '' : ` -s ${short.slice(1)}`
  return `${start} -l ${name.slice(2)}${initial}${value} -d ${quote(meaning)}`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
