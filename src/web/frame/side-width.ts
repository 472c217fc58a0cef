import { cell } from '../data/cell.ts'

const NAME = 'side'
const isNarrow = cell(localStorage.getItem(NAME) === 'narrow')
export const useNarrowSide = isNarrow.use

/** Only icons, or names too; kept on this machine. */
export function turnSide() {
  isNarrow.put(!isNarrow.get())
  if (isNarrow.get()) localStorage.setItem(NAME, 'narrow')
  else localStorage.removeItem(NAME)
}
