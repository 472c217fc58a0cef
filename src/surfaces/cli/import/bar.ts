import type { CommandIO } from '../io.ts'
import type { Stream } from '../progress.ts'

/** Where progress is shown: redrawn on a terminal, otherwise as single lines. */
export const progressStream = ({ ask, err }: CommandIO): Stream =>
  ask && process.stderr.isTTY ? process.stderr : { write: (text) => err(text.trimEnd()) }

/** Such as: 120 per second, 2 min left. */
export function paceText(perSecond: number, secondsLeft: number | undefined): string {
  const rate = perSecond >= 10 ? Math.round(perSecond) : Number(perSecond.toFixed(1))
  const parts = [`${rate} per second`]
  if (secondsLeft !== undefined && secondsLeft >= 1) parts.push(`${durationText(secondsLeft)} left`)
  return parts.join(', ')
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
