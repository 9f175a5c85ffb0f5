import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/streams'

/**
 * Returns a statement that stores positions and, in the same transaction, their events for webhooks (contracts:
 * deviceLocationResolved). The outbox relay publishes them.
 *
 * @param store stores positions and returns their rows
 */
export function storeAndRecord(store: string): string {
  return `
    WITH stored AS (${store}), recorded AS (
      INSERT INTO outbox (id, subject, data, created_at)
      SELECT id, '${DEVICE_LOCATION_STREAM.subject}.' || organization_id || '.' || project_id,
        jsonb_build_object(
          'id', id, 'organization_id', organization_id, 'project_id', project_id, 'device_serial', device_serial,
          'lat', lat, 'lon', lon, 'uncertainty', uncertainty, 'confidence', confidence,
          'fulfilled_with', fulfilled_with,
          'resolved_at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) || coalesce(height, '{}'), at
      FROM stored
    )
    SELECT id FROM stored`
}
