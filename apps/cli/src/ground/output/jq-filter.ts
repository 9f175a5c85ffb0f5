import { UsageError } from '../usage-error.js'
import { sanitize } from './sanitize.js'

/** Exit code of jq for a filter that it cannot compile. */
const COMPILE_ERROR = 3

/** A filter of jq. */
export interface JqFilter {
  /**
   * Filters a value.
   *
   * @returns what the filter makes of it, one result per line: texts as they are, all else as JSON. Characters that a terminal
   *   would interpret are escaped.
   * @throws UsageError if the filter does not fit the value
   */
  readonly apply: (value: unknown) => string
}

/**
 * Compiles a filter. It runs in WebAssembly, which sees its input only: neither files nor variables of the environment.
 *
 * @throws UsageError if it is invalid
 */
export async function jqFilter(text: string): Promise<JqFilter> {
  // Loaded on demand: it is larger than all the rest.
  const { loadJq } = await import('jq-wasm/inline')
  const jq = await loadJq()
  // Begins with a space, so that jq takes it for no flag.
  const run = (value: unknown) => jq.raw(JSON.stringify(value), ` ${text}`, ['-c', '-r'])
  const { exitCode, stderr } = run(null)
  if (exitCode === COMPILE_ERROR) throw new UsageError(`The filter of --jq is invalid: ${reasonIn(stderr)}`)
  return {
    apply: (value) => {
      const ran = run(value ?? null)
      if (ran.exitCode !== 0)
        throw new UsageError(`The filter of --jq does not fit the result: ${reasonIn(ran.stderr)}`)
      // Line breaks and tabs stay: filters make rows of them.
      return ran.stdout.replaceAll(/[^\n\t]+/g, sanitize)
    },
  }
}

/** Returns what jq says, without its name and the places in its input and its filter. */
function reasonIn(stderr: string): string {
  const [line = ''] = stderr.split('\n')
  return sanitize(line.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>.*$/, ''))
}
