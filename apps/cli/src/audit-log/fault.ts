import type { AuditFault } from '@bearing/contracts/identity/audit-log'
import { count } from '../output/format.js'

/** What is wrong with a chain, for people. */
export function describeFault({ sequence, id, fault }: AuditFault): string {
  const row = `row ${count(sequence)}${id === null ? '' : ` (${id})`}`
  switch (fault) {
    case 'missing':
      return `${row} is missing`
    case 'changed':
      return `${row} was changed`
    case 'unlinked':
      return `${row} does not follow the one before it: that one was changed, hash and all`
    case 'beyond':
      return `${row} stands behind the end of the chain`
  }
}
