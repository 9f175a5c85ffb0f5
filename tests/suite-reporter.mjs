import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * `failures` has the names of failed tests; `repeatable` is false if a property was refuted, which another try with other
 * random values would only hide.
 *
 * @typedef {{ suite: string, passed: number, failed: number, failures: string[], repeatable: boolean, skipped: string[],
 *   seconds: number }} SuiteResult
 */

/** The start of fast-check's message for a refuted property. */
const REFUTED = 'Property failed after'

/**
 * A reporter of Jest that writes one line of JSON (a SuiteResult) when a suite ends, so that a run that is stopped has still
 * counted what it finished. The environment variable SUITE_RESULTS names the file;
 * without it nothing is written.
 */
export default class SuiteReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir
    this.file = process.env.SUITE_RESULTS
  }

  onTestResult(_test, result) {
    const skipped = result.testResults
      .filter(({ status }) => ['pending', 'todo', 'disabled'].includes(status))
      .map(({ fullName }) => fullName)
    const failed = result.testResults.filter(({ status }) => status === 'failed')
    const { start, end } = result.perfStats
    this.write({
      suite: relative(this.rootDir, result.testFilePath),
      passed: result.numPassingTests,
      // A suite that could not be loaded has no tests to count, and has failed all the same.
      failed: result.numFailingTests + (result.testExecError ? 1 : 0),
      failures: failed.map(({ fullName }) => fullName),
      repeatable: !failed.some(({ failureMessages }) => failureMessages.join('').includes(REFUTED)),
      skipped,
      seconds: (end - start) / 1_000,
    })
  }

  write(line) {
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }
}
