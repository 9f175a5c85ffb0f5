import { readFile } from 'node:fs/promises'

const ESTABLISHED = '01'

/** Returns true if a process is connected to a TCP address, as its kernel says. @param pid in any network namespace */
export async function isConnectedTo(pid: number, address: string, port: number): Promise<boolean> {
  const table = await readFile(`/proc/${String(pid)}/net/tcp`, 'utf8')
  // The bytes of the address are in the order of the machine: little-endian.
  const bytes = address.split('.').toReversed().map(Number)
  const host = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const remote = `${host}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
  return table.includes(` ${remote} ${ESTABLISHED} `)
}
