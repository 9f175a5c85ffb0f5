import { namesOf, type Choice, type Flag, type Place } from './command-tree.js'

/** Returns a completion script for PowerShell 5.1 and newer. It contains the whole command tree, as the others do. */
export function powershellCompletion(places: readonly Place[]): string {
  const withValue = places.flatMap(({ flags }) =>
    flags.filter(({ takesValue }) => takesValue).flatMap(namesOf),
  )
  const contextFlags = places.flatMap(({ flags }) =>
    flags.filter((flag) => flag.takesContext).flatMap(namesOf),
  )
  const flagsOf = ({ flags }: Place) => flags.map(({ name, meaning }) => ({ value: name, meaning }))
  return `# PowerShell completion of bearing
$bearingFlagsWithValue = @(${[...new Set(withValue)].map(quote).join(', ')})
$bearingChoices = @{
${places.map((place) => `  ${quote(place.path)} = ${list(place.choices)}`).join('\n')}
}
$bearingFlags = @{
${places.map((place) => `  ${quote(place.path)} = ${list(flagsOf(place))}`).join('\n')}
}
$bearingValues = @{
${places.flatMap(({ path, flags }) => flags.flatMap((flag) => valuesOf(path, flag))).join('\n')}
}
$bearingContextPlaces = @(${places.flatMap(({ path, takesContext }) => (takesContext ? [quote(path)] : [])).join(', ')})
$bearingContextFlags = @(${contextFlags.map(quote).join(', ')})
$bearingContexts = {
  bearing context list -o csv 2>$null | ConvertFrom-Csv | ForEach-Object { "$($_.name)|$($_.url)" }
}
$bearingCompleter = {
  param($wordToComplete, $commandAst, $cursorPosition)
  $place = ''
  $flag = ''
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.Extent.Text
    if ($flag) { $flag = ''; continue }
    if ($bearingFlagsWithValue -ccontains $word) { $flag = $word; continue }
    if ($word.StartsWith('-')) { continue }
    $next = "$place $word".Trim()
    if ($bearingChoices.ContainsKey($next)) { $place = $next }
  }
  $found = @()
  if ($flag) {
    $found += $bearingValues["$place $flag".Trim()]
    if ($place) { $found += $bearingValues[$flag] }
    if ($bearingContextFlags -ccontains $flag) { $found += & $bearingContexts }
  } elseif ($wordToComplete.StartsWith('-')) {
    $found += $bearingFlags[$place]
    if ($place) { $found += $bearingFlags[''] }
  } else {
    $found += $bearingChoices[$place]
    if ($bearingContextPlaces -ccontains $place) { $found += & $bearingContexts }
  }
  # If nothing is found, PowerShell completes names of files.
  foreach ($line in $found) {
    if ($line -and $line.StartsWith($wordToComplete)) {
      $value, $meaning = $line.Split('|', 2)
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $meaning)
    }
  }
}.GetNewClosure()
Register-ArgumentCompleter -Native -CommandName bearing -ScriptBlock $bearingCompleter`
}

function valuesOf(path: string, flag: Flag): string[] {
  if (flag.values.length === 0) return []
  const choices = flag.values.map((value) => ({ value, meaning: flag.meaning }))
  return namesOf(flag).map((name) => `  ${quote(`${path} ${name}`.trim())} = ${list(choices)}`)
}

/** An array of texts `value|meaning`: PowerShell flattens arrays of arrays. */
function list(choices: readonly Choice[]): string {
  return `@(${choices.map(({ value, meaning }) => quote(`${value}|${meaning || value}`)).join(', ')})`
}

/** Nothing is expanded in single quotes; PowerShell takes typographic ones for quotes, too. */
function quote(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}
