import type { OperationError } from '@bearing/contracts/errors'
import type { ScanProblem } from '@bearing/contracts/location/scans/scan-problem'

/** Returns the fields of a problem document that are about a scan. */
export function problemOf({ code, message, details }: OperationError): ScanProblem {
  const { reason, accessPoints, errors, retry_after } = details
  return {
    code,
    detail: message,
    ...(reason !== undefined && { reason }),
    ...(accessPoints && { accessPoints }),
    ...(errors && { errors: [...errors] }),
    ...(retry_after !== undefined && { retry_after }),
  }
}
