import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import { UnusableInputError } from './errors.js'

/** A token of the platform that runs this program, and the variable that it comes from. */
export interface WorkloadVariables {
  readonly from: string
  /** The token itself, a file with it, or where GitHub Actions gives one. */
  readonly token?: string
  readonly file?: string
  readonly request?: { readonly url: string; readonly bearer: string }
  /** The audience to ask for (default: URL of the gateway). */
  readonly audience?: string | undefined
}

/** Returns the first of the variables that is there. */
export function findWorkload(
  variables: Readonly<Record<string, string | undefined>>,
): WorkloadVariables | undefined {
  const read = (name: string) => withoutLineEnd(variables[name] ?? '')
  const audience = read('BEARING_WORKLOAD_AUDIENCE') || undefined
  const [token, file] = [read('BEARING_WORKLOAD_TOKEN'), read('BEARING_WORKLOAD_TOKEN_FILE')]
  const [url, bearer] = [read('ACTIONS_ID_TOKEN_REQUEST_URL'), read('ACTIONS_ID_TOKEN_REQUEST_TOKEN')]
  if (token) return { from: 'BEARING_WORKLOAD_TOKEN', token }
  if (file) return { from: 'BEARING_WORKLOAD_TOKEN_FILE', file }
  if (url && bearer) return { from: 'ACTIONS_ID_TOKEN_REQUEST_URL', request: { url, bearer }, audience }
  return undefined
}

export interface WorkloadExchange {
  readonly workload: WorkloadVariables
  /** URL of the gateway. */
  readonly url: string
  /** Slug of the organization. */
  readonly organization: string
  /** Reads the file of a token. */
  readonly readFile: (path: string) => Promise<string>
  readonly signal: AbortSignal
}

/** An organization auth token of a workload, and its life. */
export interface WorkloadToken {
  readonly token: string
  readonly expiresInSeconds: number
}

/**
 * Exchanges the token of the platform that runs this program for one of the organization.
 *
 * @throws UnusableInputError if there is no such token, or no trust of the organization accepts it
 */
export async function exchangeWorkloadToken(exchange: WorkloadExchange): Promise<WorkloadToken> {
  const { workload, url, organization, signal } = exchange
  // Loaded when needed: the command line looks for workload tokens at every start.
  const { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } =
    await import('@bearing/contracts/identity/workloads/token-exchange')
  const { ROUTES } = await import('@bearing/contracts/routes')
  const subject = await subjectToken(exchange)
  const reply = await send(new URL(ROUTES.exchangeToken.path, url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token: subject,
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
      audience: organization,
    }),
    signal,
  })
  const { access_token: token, expires_in: life, error_description: why } = reply
  if (typeof token !== 'string')
    throw new UnusableInputError(
      `The workload token from ${workload.from} was not accepted: ${typeof why === 'string' ? why : 'no reason was given'}`,
    )
  return { token, expiresInSeconds: typeof life === 'number' ? life : 0 }
}

async function subjectToken({ workload, url, readFile, signal }: WorkloadExchange): Promise<string> {
  const { token, file, request, from, audience } = workload
  if (token !== undefined) return token
  if (file !== undefined)
    return readFile(file).then(withoutLineEnd, () => {
      throw new UnusableInputError(`${file}, which ${from} names, cannot be read.`)
    })
  const address = new URL(request?.url ?? '')
  address.searchParams.set('audience', audience ?? new URL(url).origin)
  const headers = { authorization: `Bearer ${request?.bearer ?? ''}` }
  const { value } = await send(address, { headers, signal })
  if (typeof value !== 'string') throw new UnusableInputError(`No workload token was received from ${from}.`)
  return value
}

async function send(url: URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'error' })
    return (await reply.json()) as Readonly<Record<string, unknown>> // every use checks the type
  } catch {
    throw new UnusableInputError(
      `${url.host} did not respond to the exchange of a workload token. Try again shortly.`,
    )
  }
}
