const COUNT = new Intl.NumberFormat('en-US')
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
const PER_UNIT = 1_000

/** Returns a number with thousands separators: "1,204". */
export function count(amount: number): string {
  return COUNT.format(amount)
}

/** Returns a number with its noun: "1 device", "1,204 devices", "More than 10,000 rows". */
export function counted(amount: number, noun: string, isMinimum = false): string {
  const text = `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`
  return isMinimum ? `More than ${text}` : text
}

/** Returns a size as the command line prints it: "812 KB", "1.2 GB". */
export function size(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / PER_UNIT ** unit
  return `${value < 10 && unit > 0 ? value.toFixed(1) : count(Math.round(value))} ${UNITS[unit] ?? ''}`
}

/** Returns a distance in whole meters: "1,204 m". */
export function meters(distance: number): string {
  return `${count(Math.round(distance))} m`
}

/** Returns the software of a device or a file; empty if it named none. */
export function softwareOf(from: {
  readonly software_type: string | null
  readonly software_version: string | null
}): string {
  return [from.software_type, from.software_version].filter((part) => part !== null).join(' ')
}
