import { z } from 'zod'

/** Joiners (U+200C, U+200D) are a part of spelling between letters, and of emoji that consist of several. */
const JOINED = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}])`
/** The flags of England, Scotland and Wales are written with tags. */
const FLAG_TAGS = String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`
/** Controls, invisible formatting and controls of text direction, half characters, line separators, letters without a shape. */
const NEVER = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0`
const TEXT = new RegExp(`^(?:[^${NEVER}]|${JOINED}|${FLAG_TAGS})*$`, 'u')
/** U+2800 is a pattern of Braille without a dot. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]/u
const BLANK = /[\u2800]/gu

/**
 * Returns text for people: names, nicknames, descriptions. It cannot forge lines in a terminal or a log, nor reorder the text
 * around it, and somebody can see it. Without spaces at either end.
 *
 * @param most characters
 * @param fewest characters (default: 1)
 */
export function humanText(most: number, fewest = 1) {
  return z
    .string()
    .trim()
    .min(fewest)
    .max(most)
    .refine((text) => TEXT.test(text), 'must not contain control characters or invisible characters')
    .refine((text) => text === '' || VISIBLE.test(text.replace(BLANK, '')), 'must have a visible character')
}
