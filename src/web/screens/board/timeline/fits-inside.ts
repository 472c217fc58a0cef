/** The usual width of a character. */
const CHARACTER_WIDTH = 6.4
const BAR_PADDING = 20
/** A wider bar shows at least the beginning of a title. */
const WIDE_ENOUGH = 110

/** Whether a title goes on its bar, otherwise beside it. */
export const fitsInside = (title: string, width: number) =>
  width >= Math.min(WIDE_ENOUGH, title.length * CHARACTER_WIDTH + BAR_PADDING)
