import { CopyButton } from './copy-button.js'

/** A command that can be run as it is. Secrets are in it as variables only. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      <pre>{text}</pre>
      <div>
        <CopyButton text={text} of="the command" label="Copy" look="small" />
      </div>
    </div>
  )
}

/** The same as a form, for scripts. */
export function AsCommand({ bearing, curl }: { readonly bearing?: string; readonly curl?: string }) {
  return (
    <details>
      <summary>As a command</summary>
      <div className="stack-s">
        {bearing !== undefined && <Command text={bearing} />}
        {curl !== undefined && <Command text={curl} />}
      </div>
    </details>
  )
}

/** Quotes a text for a shell. */
export function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
