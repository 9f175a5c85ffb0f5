/** A figure that users pay for, measured in several rounds. */
export interface Yardstick {
  readonly name: string
  readonly unit: string
  /** Direction of a better figure. */
  readonly better: 'more' | 'less'
  readonly aim?: number
  readonly stretch?: number
  /** The figure of each round. */
  readonly rounds: readonly number[]
  /** Parts of the figure, such as the processes of a sum; medians of the rounds. */
  readonly parts?: Readonly<Record<string, number>>
}

/** A yardstick as it is printed, and as programs read it. */
export interface Result extends Omit<Yardstick, 'rounds'> {
  readonly median: number
  readonly least: number
  readonly most: number
  readonly rounds: number
  /** The aim, or the stretch, that is reached; undefined without one. */
  readonly reached?: 'nothing' | 'aim' | 'stretch'
}

/** Returns the median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Returns the median and spread of a yardstick, and what it reaches. */
export function resultOf({ rounds, ...yardstick }: Yardstick): Result {
  const { aim, stretch, better } = yardstick
  const figure = median(rounds)
  const isReached = (bar: number | undefined) =>
    bar !== undefined && (better === 'more' ? figure >= bar : figure <= bar)
  const reached = isReached(stretch) ? 'stretch' : isReached(aim) ? 'aim' : 'nothing'
  return {
    ...yardstick,
    median: figure,
    least: Math.min(...rounds),
    most: Math.max(...rounds),
    rounds: rounds.length,
    ...(aim !== undefined && { reached }),
  }
}

/** Returns results as a Markdown table. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ name, unit, median, least, most, aim, stretch, reached, parts }) => [
    name + partsOf(parts),
    `${reached === 'nothing' ? text(median) : `**${text(median)}**`}${unit && ` ${unit}`}`,
    `${text(least)} to ${text(most)}`,
    aim === undefined ? '' : text(aim),
    stretch === undefined ? '' : text(stretch),
  ])
  const lines = [['', 'measured', 'rounds', 'aim', 'stretch'], ['---', '---', '---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function partsOf(parts: Yardstick['parts']): string {
  const entries = Object.entries(parts ?? {})
  return entries.length === 0
    ? ''
    : ` (${entries.map(([name, figure]) => `${name} ${text(figure)}`).join(', ')})`
}

/** Three digits, and separators for thousands. */
function text(figure: number): string {
  const digits = figure >= 100 ? 0 : figure >= 10 ? 1 : 2
  return figure.toLocaleString('en', { maximumFractionDigits: digits })
}
