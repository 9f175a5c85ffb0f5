import type { Session } from '../../session/session.js'
import type { ImportTarget, PackedField } from './import-target.js'

/** The layer of the session's organization, over HTTP. */
export function organizationTarget({ client, organization }: Session, field: PackedField): ImportTarget {
  return {
    begin: (content, digest) => client.call('beginImport', { organization, content, digest }),
    append: async (import_id, batch, packed) => {
      await client.call('appendToImport', { organization, import_id, batch, [field]: packed })
    },
    commit: (import_id, sent) => client.call('commitImport', { organization, import_id, ...sent }),
    show: (import_id) => client.call('showImport', { organization, import_id }),
    close: () => Promise.resolve(),
  }
}
