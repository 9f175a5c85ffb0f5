import type { Session } from '../session.js'
import type { ImportTarget } from './import-target.js'

/** The access points of the session's organization, over HTTP. */
export function organizationTarget({ client, organization }: Session): ImportTarget {
  return {
    begin: (content, digest) => client.call('beginImport', { organization, content, digest }),
    append: async (import_id, batch, rows) => {
      // The wire type of a row is a tuple that may be written to; ours may not.
      const body = rows.map(([mac, lat, lon, dbm]): [string, number, number, number | null] => [
        mac,
        lat,
        lon,
        dbm,
      ])
      await client.call('appendToImport', { organization, import_id, batch, rows: body })
    },
    commit: (import_id, sent) => client.call('commitImport', { organization, import_id, ...sent }),
    show: (import_id) => client.call('showImport', { organization, import_id }),
    close: () => Promise.resolve(),
  }
}
