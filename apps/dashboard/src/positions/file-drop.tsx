import { useId, useState, type DragEvent } from 'react'

/** Takes a file, by drag or by the dialog of the browser. */
export function FileDrop({
  isDisabled,
  onFile,
}: {
  readonly isDisabled: boolean
  readonly onFile: (file: File) => void
}) {
  const [isOver, setOver] = useState(false)
  const hint = useId()
  const over = (event: DragEvent, value: boolean) => {
    event.preventDefault()
    setOver(value && !isDisabled)
  }
  return (
    <label
      className="drop"
      {...(isOver && { 'data-over': '' })}
      {...(isDisabled && { 'data-disabled': '' })}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        const [file] = event.dataTransfer.files
        if (file && !isDisabled) onFile(file)
      }}
    >
      <strong>Drop a file of access points here, or choose one</strong>
      <input
        type="file"
        aria-describedby={hint}
        disabled={isDisabled}
        accept=".csv,.json,.jsonl,.ndjson,.geojson,.gz,text/csv,application/json,application/gzip"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file may be chosen again.
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
      <small id={hint}>
        WiGLE CSV, CSV with the columns bssid (or mac), lat and lon, wifis.csv of NeoStumbler, geosubmit JSON
        lines, or GeoJSON; plain or gzip. It is read in this browser first; nothing is sent before you say so.
      </small>
    </label>
  )
}
