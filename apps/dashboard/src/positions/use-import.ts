import { UnusableFileError } from '@bearing/files/unusable-file-error'
import { useEffect, useRef, useState } from 'react'
import { count, size } from '../ground/amounts.js'
import { isSignedOut } from '../ground/client.js'
import { signedOut } from '../ground/signed-out.js'
import type { DryRun } from './dry-run.js'
import type { Ended, Progress } from './send-file.js'

// Loaded when a file was chosen: the readers of files are large.
const readers = () =>
  Promise.all([import('./read-file.js'), import('./dry-run.js'), import('./send-file.js')])

export type ImportState =
  | { readonly step: 'idle' }
  | {
      readonly step: 'reading' | 'sending'
      readonly name: string
      readonly done: number
      readonly of: number
      readonly text: string
    }
  | { readonly step: 'read'; readonly name: string; readonly dryRun: DryRun }
  | { readonly step: 'ended'; readonly name: string; readonly ended: Ended }
  | { readonly step: 'failed'; readonly name: string; readonly error: unknown; readonly sentence?: string }

/** Reads a chosen file as a dry run, and imports it when that is asked for. Leaving the page interrupts; it can be continued. */
export function useImport(organization: string, onChanged: () => void) {
  const [state, setState] = useState<ImportState>({ step: 'idle' })
  const read = useRef<DryRun>(undefined)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const isSending = state.step === 'sending'
  useQuestionBeforeLeaving(isSending)

  const run = async (name: string, work: (signal: AbortSignal) => Promise<ImportState>) => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    try {
      const next = await work(abort.signal)
      if (!abort.signal.aborted) setState(next)
    } catch (error) {
      if (abort.signal.aborted) return
      if (isSignedOut(error)) signedOut.set(true)
      setState(failedOf(name, error, read.current !== undefined))
    }
  }
  const choose = (file: File) => {
    // If this file cannot be read, the one before must not be sent.
    read.current = undefined
    const { name, size: bytes } = file
    setState({ step: 'reading', name, done: 0, of: bytes, text: 'Opening the file …' })
    void run(name, async (signal) => {
      const [{ openFile }, { dryRun }] = await readers()
      const opened = await openFile(file)
      read.current = await dryRun(opened, signal, (done) => {
        const of = opened.bytes.length
        setState({ step: 'reading', name, done, of, text: `${size(done)} of ${size(of)}` })
      })
      return { step: 'read', name, dryRun: read.current }
    })
  }
  const start = () => {
    const { current } = read
    if (!current) return
    const { name } = current.file
    const of = current.rows
    setState({ step: 'sending', name, done: 0, of, text: 'Starting …' })
    void run(name, async (signal) => {
      const [, , { sendFile }] = await readers()
      const ended = await sendFile(organization, current, signal, (progress) =>
        setState({ step: 'sending', name, done: progress.rows, of, text: progressText(progress, of) }),
      )
      onChanged()
      return { step: 'ended', name, ended }
    })
  }
  const cancel = () => {
    running.current?.abort()
    const { current } = read
    // Rows that were sent stay: the dry run is there to continue from.
    setState(
      isSending && current ? { step: 'read', name: current.file.name, dryRun: current } : { step: 'idle' },
    )
    onChanged()
  }
  return { state, choose, start, cancel }
}

/** The browser asks before it closes a page that is sending. */
function useQuestionBeforeLeaving(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])
}

function failedOf(name: string, error: unknown, wasRead: boolean): ImportState {
  if (error instanceof UnusableFileError) return { step: 'failed', name, error, sentence: error.message }
  if (wasRead) return { step: 'failed', name, error }
  return { step: 'failed', name, error, sentence: `${name} cannot be read. Choose it again.` }
}

function progressText({ step, rows, resumed }: Progress, of: number): string {
  if (step === 'committing') return `All ${count(of)} rows are sent. Making them visible …`
  return `${count(rows)} of ${count(of)} rows${resumed > 0 ? ', continued' : ''}`
}
