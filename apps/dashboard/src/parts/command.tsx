import { buildRequest } from '@bearing/client/build-request'
import type { CallInput } from '@bearing/client/call-types'
import { ROUTES, type RouteName } from '@bearing/contracts/routes'
import { useQuery } from '@tanstack/react-query'
import { installation } from '../ground/queries.js'
import { CopyButton } from './copy-button.js'

/** A command that can be run as it is: those of the command line name this installation. Secrets are in it as variables only. */
export function Command({ text }: { readonly text: string }) {
  const url = useQuery(installation).data?.public_url ?? ''
  const shown = url === '' ? text : text.replace(/^bearing (?=-|[a-z])/, `bearing --url ${url} `)
  return (
    <div className="command">
      <pre>{shown}</pre>
      <div>
        <CopyButton text={shown} of="the command" label="Copy" look="small" />
      </div>
    </div>
  )
}

interface AsCommandProps<Name extends RouteName> {
  readonly bearing?: string
  /** The call that the form makes, without secrets: it is shown for curl. */
  readonly call?: readonly [name: Name, input: CallInput<Name>]
  readonly curl?: string
}

/** The same as a form, for scripts: filled in while the user types. */
export function AsCommand<Name extends RouteName>({ bearing, call, curl }: AsCommandProps<Name>) {
  const config = useQuery(installation)
  const request = curl ?? (call && curlOf(...call, config.data?.public_url ?? ''))
  return (
    <details>
      <summary>As a command</summary>
      <div className="stack-s">
        {bearing !== undefined && <Command text={bearing} />}
        {request !== undefined && <Command text={request} />}
      </div>
    </details>
  )
}

/** Returns a call for curl. Undefined while a part of its address is missing. */
function curlOf<Name extends RouteName>(name: Name, input: CallInput<Name>, url: string): string | undefined {
  try {
    const { method, target, body } = buildRequest(ROUTES[name], input)
    return [
      `curl --request ${method} --user "$EMAIL:$USER_API_KEY"`,
      ...(typeof body === 'string' && body !== '{}'
        ? [`  --header 'Content-Type: application/json' --data ${quoted(body)}`]
        : []),
      `  ${quoted(url + target)}`,
    ].join(' \\\n')
  } catch {
    return undefined
  }
}

/** Quotes a text for a shell. */
export function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
