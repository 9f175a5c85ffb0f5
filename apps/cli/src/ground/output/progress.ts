import cliProgress from 'cli-progress'
import type { Output } from './output.js'
import { span } from './format.js'

/** Interval of progress lines if lines cannot be redrawn, in milliseconds. */
const LINE_INTERVAL_MS = 5_000
const SPINNER_INTERVAL_MS = 100
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

/** Shows progress. */
export interface Progress {
  /** @param done the completed part of the total; `note` describes it */
  update(done: number, note: string): void
  stop(): void
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined }

/**
 * Starts to show progress: a bar on a terminal, a line every few seconds elsewhere, nothing with `--json`.
 *
 * @param total the final value of `done`, in any unit
 */
export function startProgress(
  output: Output,
  title: string,
  total: number,
  stream: NodeJS.WritableStream,
): Progress {
  if (output.forPrograms) return SILENT
  return output.canRedraw ? bar(output, title, total, stream) : lines(output, title, total)
}

function bar(output: Output, title: string, total: number, stream: NodeJS.WritableStream): Progress {
  const single = new cliProgress.SingleBar({
    stream,
    hideCursor: false,
    clearOnComplete: true,
    etaBuffer: 50,
    fps: 10,
    format: (_, { progress, eta }, payload: { note?: string }) => {
      const width = Math.max(10, Math.min(30, output.width - 60))
      const filled = Math.round(progress * width)
      const bar = output.paint('━'.repeat(filled), 'cyan') + output.paint('─'.repeat(width - filled), 'dim')
      const percent = `${String(Math.floor(progress * 100)).padStart(3)} %`
      const left = Number.isFinite(eta) && progress < 1 ? `${span(eta)} left` : ''
      return [`  ${title}`, bar, percent, payload.note, left].filter(Boolean).join('  ')
    },
  })
  single.start(Math.max(1, total), 0, { note: '' })
  return {
    update: (done, note) => {
      single.update(Math.min(done, total), { note })
    },
    stop: () => {
      single.stop()
    },
  }
}

function lines(output: Output, title: string, total: number): Progress {
  let lastMs = performance.now()
  return {
    update: (done, note) => {
      if (performance.now() - lastMs < LINE_INTERVAL_MS) return
      lastMs = performance.now()
      output.say(`${title}: ${String(Math.floor((done / Math.max(1, total)) * 100))} %, ${note}`)
    },
    stop: () => undefined,
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
  }, SPINNER_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    output.redraw('')
  }
}
