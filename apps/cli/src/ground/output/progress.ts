import type { Output } from './output.js'
import { span } from './format.js'

/** Interval of progress lines if lines cannot be redrawn, in milliseconds. */
const LINE_INTERVAL_MS = 5_000
const FRAME_MS = 100
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Shows progress until it is disposed. */
export interface Progress extends Disposable {
  /** @param done the completed part of the total; `note` describes it */
  update(done: number, note: string): void
}

const SILENT: Progress = { update: () => undefined, [Symbol.dispose]: () => undefined }

/**
 * Starts to show progress: a bar on a terminal, a line every few seconds elsewhere, nothing with `--json`.
 *
 * @param total the final value of `done`, in any unit
 */
export function startProgress(output: Output, title: string, total: number): Progress {
  if (output.forPrograms) return SILENT
  return (output.canRedraw ? bar : lines)(output, title, Math.max(1, total))
}

function bar(output: Output, title: string, total: number): Progress {
  const startMs = performance.now()
  let lastMs = -Infinity
  const show = (done: number, note: string) => {
    const progress = Math.min(1, done / total)
    const width = Math.max(10, Math.min(30, output.width - 60))
    const filled = Math.round(progress * width)
    const bar = output.paint('━'.repeat(filled), 'cyan') + output.paint('─'.repeat(width - filled), 'dim')
    const percent = `${String(Math.floor(progress * 100)).padStart(3)} %`
    const seconds = ((performance.now() - startMs) / 1_000) * (1 / progress - 1)
    const left = progress > 0 && progress < 1 ? `${span(seconds)} left` : ''
    output.redraw([`  ${title}`, bar, percent, note, left].filter(Boolean).join('  '))
  }
  show(0, '')
  return {
    update: (done, note) => {
      if (performance.now() - lastMs < FRAME_MS) return
      lastMs = performance.now()
      show(done, note)
    },
    [Symbol.dispose]: () => {
      output.redraw('')
    },
  }
}

function lines(output: Output, title: string, total: number): Progress {
  let lastMs = performance.now()
  return {
    update: (done, note) => {
      if (performance.now() - lastMs < LINE_INTERVAL_MS) return
      lastMs = performance.now()
      output.say(`${title}: ${String(Math.floor((done / total) * 100))} %, ${note}`)
    },
    [Symbol.dispose]: () => undefined,
  }
}

/**
 * Shows a spinner while work runs.
 *
 * @returns the result of the work
 */
export async function spinning<Result>(
  output: Output,
  title: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!output.canRedraw) {
    output.say(title)
    return work()
  }
  let frame = 0
  const timer = setInterval(() => {
    output.redraw(`  ${output.paint(SPINNER.charAt(frame++ % SPINNER.length), 'cyan')} ${title}`)
  }, FRAME_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    output.redraw('')
  }
}
