import { readFile } from 'node:fs/promises'
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { ROUTES } from '@bearing/contracts/routes'
import { withoutLineEnd } from '@bearing/contracts/without-line-end'
import type { WorkloadVariables } from '../ground/environment.js'
import { sanitize } from '../ground/output/sanitize.js'
import { UsageError } from '../ground/usage-error.js'
import type { SelectedCredential } from './select-credential.js'

interface Exchange {
  readonly workload: WorkloadVariables
  /** URL of the gateway. */
  readonly url: string
  /** Slug of the organization. */
  readonly organization: string
  readonly signal: AbortSignal
}

/**
 * Exchanges the token of the platform that runs this command for one of the organization.
 *
 * @throws UsageError if there is no such token, or no trust of the organization accepts it
 */
export async function workloadCredential(exchange: Exchange): Promise<SelectedCredential> {
  const { workload, url, organization, signal } = exchange
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
  const { access_token: token, error_description: why } = reply
  if (typeof token !== 'string')
    throw new UsageError(
      `The workload token from ${workload.from} was not accepted: ${sanitize(typeof why === 'string' ? why : 'no reason was given')}`,
      'An admin creates a trust with "bearing trusts create".',
    )
  return {
    credential: { kind: ORGANIZATION_TOKEN, token },
    description: `the workload token from ${workload.from}`,
  }
}

async function subjectToken({ workload, url, signal }: Exchange): Promise<string> {
  const { token, file, request, from, audience } = workload
  if (token !== undefined) return token
  if (file !== undefined)
    return readFile(file, 'utf8').then(withoutLineEnd, () => {
      throw new UsageError(`${file} cannot be read.`, `${from} names the file of a workload token.`)
    })
  const address = new URL(request?.url ?? '')
  address.searchParams.set('audience', audience ?? new URL(url).origin)
  const headers = { authorization: `Bearer ${request?.bearer ?? ''}` }
  const { value } = await send(address, { headers, signal })
  if (typeof value !== 'string') throw new UsageError(`No workload token was received from ${from}.`)
  return value
}

async function send(url: URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'error' })
    return (await reply.json()) as Readonly<Record<string, unknown>> // every use checks the type
  } catch {
    throw new UsageError(
      `${url.host} did not respond to the exchange of a workload token.`,
      'Try again shortly.',
    )
  }
}
