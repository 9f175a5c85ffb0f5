import type { AuditFault } from '@bearing/contracts/identity/audit/audit-log'
import { count } from '../output/format.js'

/** Describes the defect of a chain. */
export function describeFault({ sequence, id, fault }: AuditFault): string {
  const row = `row ${count(sequence)}${id === null ? '' : ` (${id})`}`
  switch (fault) {
    case 'missing':
      return `${row} is missing`
    case 'changed':
      return `${row} was changed`
    case 'unlinked':
      return `${row} does not follow the row before it, which was changed together with its hash`
    case 'beyond':
      return `${row} is after the end of the chain`
  }
}
