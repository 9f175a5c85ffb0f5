/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5
const MAX_MESSAGE_ID = 32

/** Returns a message of RFC 5424 in the frame of RFC 5425: its length in bytes, then the message. */
export function syslogFrame(at: string, messageId: string, text: string): Buffer {
  const id = messageId.replace(/[^\x21-\x7e]/g, '').slice(0, MAX_MESSAGE_ID)
  const message = Buffer.from(`<${String(PRIORITY)}>1 ${at} - bearing - ${id} - ${text}`)
  return Buffer.concat([Buffer.from(`${String(message.length)} `), message])
}
