/** Returns a table in Markdown. Texts may have several lines. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)
}

export function code(text: string): string {
  return `\`${text}\``
}

/** Returns a list of code words, separated by commas. */
export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}
