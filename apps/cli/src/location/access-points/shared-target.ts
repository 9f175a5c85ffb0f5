import {
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from '@bearing/contracts/location/access-points/access-point-import'
import { Operator, type NatsAddress } from '../../session/operator.js'
import type { ImportTarget, PackedField } from './import-target.js'

/** The layer shared by all organizations, over NATS, for operators. */
export async function sharedTarget(
  nats: NatsAddress,
  now: () => number,
  field: PackedField,
): Promise<ImportTarget> {
  const operator = await Operator.connect(nats, now)
  const layer = { organization_id: null }
  return {
    begin: (content, digest) => operator.call(beginImport, { ...layer, content, digest }),
    append: async (import_id, batch, packed) => {
      await operator.call(appendToImport, { ...layer, import_id, batch, [field]: packed })
    },
    commit: (import_id, sent) => operator.call(commitImport, { ...layer, import_id, ...sent }),
    show: (import_id) => operator.call(showImport, { ...layer, import_id }),
    close: () => operator.close(),
  }
}
