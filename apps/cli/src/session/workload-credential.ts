import { readFile } from 'node:fs/promises'
import { UnusableInputError } from '@bearing/client/errors'
import { exchangeWorkloadToken, type WorkloadExchange } from '@bearing/client/workload-token'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { sanitize } from '../ground/output/sanitize.js'
import { UsageError } from '../ground/usage-error.js'
import type { SelectedCredential } from './select-credential.js'

/**
 * Exchanges the token of the platform that runs this command for one of the organization.
 *
 * @throws UsageError if there is no such token, or no trust of the organization accepts it
 */
export async function workloadCredential(
  exchange: Omit<WorkloadExchange, 'readFile'>,
): Promise<SelectedCredential> {
  try {
    const { token } = await exchangeWorkloadToken({ ...exchange, readFile: (path) => readFile(path, 'utf8') })
    return {
      credential: { kind: ORGANIZATION_TOKEN, token },
      description: `the workload token from ${exchange.workload.from}`,
    }
  } catch (error) {
    if (!(error instanceof UnusableInputError)) throw error
    throw new UsageError(sanitize(error.message), 'An admin creates a trust with "bearing trusts create".')
  }
}
