/**
 * Characters that nobody sees, that turn the direction of text, or that no text can hold. A joiner is one of them
 * except where emoji and scripts are made with it: after an emoji, or after a letter of a script that joins its letters.
 */
const invisible =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{34F}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]|(?![\u200C\u200D])\p{Cf}|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{M}])[\u200C\u200D]/u

/** Whether a name that others will see holds what they can't: two names could look the same, or one like another. */
export function hasInvisibleCharacters(name: string): boolean {
  return invisible.test(name)
}
