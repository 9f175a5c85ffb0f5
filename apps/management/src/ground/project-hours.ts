import type { Transaction } from './database.js'

/** Amount of data that devices of a project sent in an hour. */
export interface ProjectHour {
  readonly project_id: string
  /** Start of the hour in UTC: `2026-01-31T09:00:00Z`. */
  readonly hour: string
  chunks: number
  chunk_bytes: number
  files: number
  file_bytes: number
  /** Devices that sent something in it. */
  devices: number
  /** Those of them that had sent nothing before on the same day (UTC). */
  devices_of_day: number
}

/** Collects what a transaction adds to the hours of projects. */
export class ProjectHours {
  private readonly hours = new Map<string, ProjectHour>()

  /** Returns the counts of an hour, to be added to. */
  of(project_id: string, hour: string): ProjectHour {
    const key = `${project_id} ${hour}`
    const known = this.hours.get(key)
    if (known) return known
    const counts = { chunks: 0, chunk_bytes: 0, files: 0, file_bytes: 0, devices: 0, devices_of_day: 0 }
    const created = { project_id, hour, ...counts }
    this.hours.set(key, created)
    return created
  }

  /**
   * Counts a device in the hours in which it sent something, unless it was counted there before.
   *
   * @param before when its latest data came until now
   * @param received when data of it came, oldest first
   */
  seen(project_id: string, before: Date | null, received: Iterable<Date>): void {
    let last = before === null ? '' : hourOf(before)
    for (const at of received) {
      const hour = hourOf(at)
      if (hour <= last) continue
      const counts = this.of(project_id, hour)
      counts.devices++
      if (hour.slice(0, 10) > last.slice(0, 10)) counts.devices_of_day++
      last = hour
    }
  }

  /** Returns the hours in the order of the key. */
  list(): readonly ProjectHour[] {
    return [...this.hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, hour]) => hour)
  }

  /** Writes the counts with the transaction that they are about. */
  async write(transaction: Transaction): Promise<void> {
    const rows = this.list()
    if (rows.length === 0) return
    await transaction.$executeRaw`
      INSERT INTO project_hours AS stored (project_id, hour, chunks, chunk_bytes, files, file_bytes, devices, devices_of_day)
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS counted (
        project_id uuid, hour timestamptz, chunks bigint, chunk_bytes bigint, files bigint, file_bytes bigint,
        devices bigint, devices_of_day bigint
      )
      ORDER BY 1, 2
      ON CONFLICT (project_id, hour) DO UPDATE
      SET chunks = stored.chunks + excluded.chunks, chunk_bytes = stored.chunk_bytes + excluded.chunk_bytes,
          files = stored.files + excluded.files, file_bytes = stored.file_bytes + excluded.file_bytes,
          devices = stored.devices + excluded.devices, devices_of_day = stored.devices_of_day + excluded.devices_of_day`
  }
}

/** Returns the start of the hour of a moment: `2026-01-31T09:00:00Z`. */
export function hourOf(at: Date): string {
  return `${at.toISOString().slice(0, 13)}:00:00Z`
}
