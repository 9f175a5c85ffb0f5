import { renderUnicodeCompact } from 'uqr'

/** Light modules around a code (ISO/IEC 18004 requires 4; readers need 2). */
const BORDER = 2
/** Fixed colors, because many readers do not detect inverted codes. */
const [COLORS, RESET] = ['\u001b[97;40m', '\u001b[0m']

/** Returns a text as a QR code of half blocks: each line has two rows of modules. */
export function qrCode(text: string, hasColor: boolean): string[] {
  const lines = renderUnicodeCompact(text, { border: BORDER }).split('\n')
  return hasColor ? lines.map((line) => COLORS + line + RESET) : lines
}
