import type { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import type { Input } from '@bearing/contracts/operation'
import type { SentScan } from '../same-box.js'

/** Returns the access points of a request, which may be in two fields. */
export function scansOf({
  accessPoints,
  wifi,
}: Pick<Input<typeof resolveGroundFix>, 'accessPoints' | 'wifi'>): SentScan[] {
  return [
    { pointer: '/accessPoints', accessPoints: accessPoints ?? [] },
    Array.isArray(wifi)
      ? { pointer: '/wifi', accessPoints: wifi }
      : { pointer: '/wifi/accessPoints', accessPoints: wifi?.accessPoints ?? [] },
  ]
}
