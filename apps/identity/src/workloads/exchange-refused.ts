import { OperationError } from '@bearing/contracts/errors'
import type { ExchangeRefusal } from '@bearing/contracts/identity/workloads/token-exchange'

/** The request for an exchange is refused. The message is for the caller, and contains nothing of the token. */
export function exchangeRefused(reason: ExchangeRefusal, message: string): OperationError {
  return new OperationError('token_exchange_refused', message, { reason })
}
