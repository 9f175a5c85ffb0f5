import { UnusableFileError } from '@bearing/files/unusable-file-error'
import { OperationError, type Mistake } from '@bearing/contracts/errors'
import {
  ProblemError,
  UnexpectedReplyError,
  UnreachableError,
  UnusableInputError,
} from '@bearing/client/errors'
import { CommanderError } from 'commander'
import { EXIT, type ExitCode } from './cli.js'
import { hintFor } from './hint.js'
import type { Output } from '../ground/output/output.js'
import { sanitize, toJson } from '../ground/output/sanitize.js'
import type { Session } from './session.js'
import { UsageError } from '../ground/usage-error.js'

/** An error as JSON. */
export interface ErrorReport {
  readonly message: string
  /** The server's error code, or the kind of local error. */
  readonly code: string
  readonly status?: number
  readonly request_id?: string | undefined
  readonly errors?: readonly Mistake[]
  readonly reason?: string | undefined
  readonly retry_after?: number | undefined
  readonly hint?: string | undefined
  readonly exit_code: ExitCode
}

/** Converts an error to a report. */
export function reportOf(error: unknown, session: Session | undefined): ErrorReport {
  const hint = hintFor(error, session)
  if (error instanceof ProblemError) {
    const { status, code, requestId, mistakes, reason, retryAfter } = error.problem
    return {
      message: error.message,
      code,
      status,
      request_id: requestId,
      errors: mistakes,
      reason,
      retry_after: retryAfter,
      hint,
      exit_code: refusedCode(status),
    }
  }
  if (error instanceof OperationError) {
    const { errors = [], reason, retry_after } = error.details
    return {
      message: error.message,
      code: error.code,
      errors,
      reason,
      retry_after,
      hint,
      exit_code: refusedCode(error.status),
    }
  }
  if (error instanceof UnreachableError)
    return {
      message: error.message,
      code: 'unreachable',
      reason: error.reason,
      hint,
      exit_code: EXIT.unreachable,
    }
  if (error instanceof UnexpectedReplyError) {
    const { message, status, requestId } = error
    return {
      message,
      code: 'unexpected_reply',
      status,
      request_id: requestId,
      hint,
      exit_code: EXIT.unreachable,
    }
  }
  if (isUnusable(error)) return { message: error.message, code: 'usage', hint, exit_code: EXIT.usage }
  if (error instanceof CommanderError)
    return { message: withoutValues(error.message), code: 'usage', hint, exit_code: EXIT.usage }
  return {
    message: error instanceof Error ? error.message : String(error),
    code: 'unexpected',
    exit_code: EXIT.refused,
  }
}

/** Scripts sign in again after one of these codes, and stop after the other. */
function refusedCode(status: number): ExitCode {
  return status === 401 ? EXIT.unauthenticated : EXIT.refused
}

/** Prints an error, with all details of the server; or as JSON. */
export function printError(output: Output, report: ErrorReport): void {
  if (output.forPrograms) {
    output.report(toJson({ error: report }))
    return
  }
  output.report(`${output.paint('error:', 'red')} ${sanitize(report.message)}`)
  for (const { pointer, detail } of report.errors ?? [])
    output.report(`  ${output.paint(sanitize(pointer || '/'), 'bold')}  ${sanitize(detail)}`)
  if (report.status !== undefined) {
    const id = report.request_id === undefined ? '' : ` · request ${sanitize(report.request_id)}`
    output.report(output.paint(`  ${sanitize(report.code)} · status ${String(report.status)}${id}`, 'dim'))
  }
  if (report.hint !== undefined) output.report(`${output.paint('hint:', 'cyan')} ${sanitize(report.hint)}`)
}

/** A word of the command line, misspelled: two small words and a few letters. Keys, tokens and phrases are no such word. */
const HARMLESS = /^(?=.{1,20}$)[a-z]+(?:-[a-z]+)?$/

function repeated(word: string, before = ''): string {
  return HARMLESS.test(word) ? `${before} "${word}"` : ''
}

/** Removes typed values from commander's messages, unless they cannot be secrets. */
function withoutValues(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(
      /^unknown option '(--[a-z-]{1,40}(?![^'=])|-[A-Za-z](?='))?[^]*?'(?=$|\n)/,
      (_, name?: string) => (name === undefined ? 'unknown option' : `unknown option ${name}`),
    )
    .replace(/^unknown command '([^]*)'(?=$|\n)/, (_, word: string) => `unknown command${repeated(word)}`)
    .replace(/(but got \d+): [^]*$/, '$1.')
    .replace(
      /^(option '[^']*') argument '([^]*)' is invalid\./,
      (_, option: string, word: string) => `${option} has a value that is not valid${repeated(word, ':')}.`,
    )
    .replace(
      /^command-argument value '([^]*)' is invalid for argument '([^']*)'\./,
      (_, word: string, argument: string) => `<${argument}> is not valid${repeated(word, ':')}.`,
    )
    .replace(/\n\((.*)\)$/, '. $1')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns true if a command cannot be carried out as it was given. */
function isUnusable(error: unknown): error is UsageError | UnusableInputError | UnusableFileError {
  return [UsageError, UnusableInputError, UnusableFileError].some((kind) => error instanceof kind)
}
