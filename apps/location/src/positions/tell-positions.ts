import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/streams'

/**
 * A statement that stores positions, and notes in the same transaction the events that tell webhooks of them
 * (contracts: deviceLocationResolved). The outbox relay publishes them.
 *
 * @param store stores positions and returns their rows
 * @param parameters how many it has; one more are the projects (uuid[]) that want to hear
 */
export function storeAndTell(store: string, parameters: number): string {
  return `
    WITH stored AS (${store}), told AS (
      INSERT INTO outbox (id, subject, data, created_at)
      SELECT id, '${DEVICE_LOCATION_STREAM.subject}.' || organization_id || '.' || project_id,
        jsonb_build_object(
          'id', id, 'organization_id', organization_id, 'project_id', project_id, 'device_serial', device_serial,
          'lat', lat, 'lon', lon, 'uncertainty', uncertainty, 'confidence', confidence,
          'fulfilled_with', fulfilled_with,
          'resolved_at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ), at
      FROM stored WHERE project_id = ANY ($${String(parameters + 1)}::uuid[])
    )
    SELECT id FROM stored`
}
