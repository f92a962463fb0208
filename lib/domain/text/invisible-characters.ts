/**
 * Invisible, bidirectional and unpaired surrogate characters. Zero-width joiners are allowed where emoji and scripts
 * need them: after an emoji, or after a letter of a script that joins its letters.
 */
export const invisible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{34F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]|(?![\u200C\u200D])\p{Cf}|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{M}])[\u200C\u200D]/u

/** Whether a name contains invisible characters, with which it could look like another name. */
export function hasInvisibleCharacters(name: string): boolean {
  return invisible.test(name)
}
