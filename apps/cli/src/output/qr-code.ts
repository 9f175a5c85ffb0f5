import { renderUnicodeCompact } from 'uqr'

/** Light modules around a code, so that it is told from what is beside it (ISO/IEC 18004 asks for 4; readers need 2). */
const BORDER = 2
/** White on black, whatever the colours of the terminal are: half of all readers find no code in inverted colours. */
const [COLORS, RESET] = ['\u001b[97;40m', '\u001b[0m']

/** A text as a QR code of half blocks, two modules in a character, one line for each two rows. */
export function qrCode(text: string, hasColor: boolean): string[] {
  const lines = renderUnicodeCompact(text, { border: BORDER }).split('\n')
  return hasColor ? lines.map((line) => COLORS + line + RESET) : lines
}
