import { useEffect, useMemo, useRef } from 'react'
import { type Command, useCommands } from '../../entities/command/commands.ts'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { durationText } from '../../entities/timer/clock.ts'
import { currentSeconds, pause, resume, type Timer, useTimers } from '../../entities/timer/data.ts'
import { TimerClock } from '../../entities/timer/timer-clock.tsx'
import { stoppingTask } from '../../entities/timer/toggle.ts'
import { Icon } from '../../kit/icon.tsx'
import { setTitlePrefix } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import { StopForm } from './stop.tsx'
import './timers.css'

/** Further timers are only in the command palette. */
const MAX_SHOWN = 3

/** The user's running and paused timers, shown on every screen. */
export default function RunningTimers() {
  const timers = useTimers()
  useCommands(useMemo(() => timers.flatMap(commandsOf), [timers]))
  useTitle(timers.find(({ state }) => state === 'running'))
  const stoppingTaskId = stoppingTask.use()
  if (!timers.length) return null
  // The timer being stopped comes first, so that it is always shown.
  const sorted = timers.toSorted(
    (a, b) => Number(b.task_id === stoppingTaskId) - Number(a.task_id === stoppingTaskId),
  )
  const hiddenCount = timers.length - MAX_SHOWN
  return (
    <section className="timers" aria-label={t('shell.your_timers')}>
      {sorted.slice(0, MAX_SHOWN).map((timer) => (
        <Line key={timer.task_id} timer={timer} isStopping={timer.task_id === stoppingTaskId} />
      ))}
      {hiddenCount > 0 && (
        <p className="soft">
          {t('shell.count_more_in_the_command_palette', { count: hiddenCount })}
        </p>
      )}
    </section>
  )
}

function Line({ timer, isStopping }: { timer: Timer; isStopping: boolean }) {
  const open = useOpenTask()
  const button = useRef<HTMLButtonElement>(null)
  const { ticket_number, title, state, task_id } = timer
  const isRunning = state === 'running'
  return (
    <div className={`timer ${state}`}>
      <button
        type="button"
        className="of"
        title={`${title}: ${isRunning ? t('shell.timer_running') : t('shell.timer_paused')}`}
        onClick={() => open(ticket_number)}
      >
        <span className="beat" aria-hidden="true" />
        <span className="key">{ticket_number}</span>
        <TimerClock timer={timer} />
        <span className="unseen">{isRunning ? t('shell.running') : t('shell.paused')}</span>
      </button>
      <button
        type="button"
        className="button quiet only"
        onClick={() => (isRunning ? pause(timer) : resume(timer))}
      >
        <Icon
          name={isRunning ? 'pause' : 'play'}
          label={
            isRunning
              ? t('shell.pause_subject', { subject: ticket_number })
              : t('shell.resume_subject', { subject: ticket_number })
          }
        />
      </button>
      <button
        type="button"
        ref={button}
        className="button quiet only"
        aria-haspopup="dialog"
        aria-expanded={isStopping}
        onClick={() => stoppingTask.set(task_id)}
      >
        <Icon name="stop" label={t('shell.stop_ticket_number', { ticket_number })} />
      </button>
      {isStopping && (
        <StopForm
          timer={timer}
          anchor={button.current}
          onClose={() => stoppingTask.set(undefined)}
        />
      )}
    </div>
  )
}

function commandsOf(timer: Timer): Command[] {
  const { ticket_number, state, task_id } = timer
  const subject = t('shell.the_timer_of_ticket_number', { ticket_number })
  return [
    state === 'running'
      ? {
          name: t('shell.pause_subject', { subject }),
          icon: 'pause',
          keywords: 'time',
          run: () => pause(timer),
        }
      : {
          name: t('shell.resume_subject', { subject }),
          icon: 'play',
          keywords: 'time',
          run: () => resume(timer),
        },
    {
      ...{ name: t('shell.stop_subject', { subject }), icon: 'stop', keywords: 'time end' },
      // The palette returns the focus first.
      run: () => setTimeout(() => stoppingTask.set(task_id), FOCUS_DELAY_MS),
    },
  ]
}

/** Whole minutes, so that the tab title does not change every second. */
const minutesText = (seconds: number) =>
  seconds < 60
    ? t('timer.minutes_min', { minutes: 0 })
    : durationText(Math.floor(seconds / 60) * 60)

const FOCUS_DELAY_MS = 120
const MINUTE_MS = 60_000

/** Shows the running timer in the tab title. */
function useTitle(timer: Timer | undefined) {
  useEffect(() => {
    if (!timer) return
    const update = () =>
      setTitlePrefix(`${minutesText(currentSeconds(timer))} ${timer.ticket_number}`)
    update()
    const interval = setInterval(update, MINUTE_MS / 4)
    return () => {
      clearInterval(interval)
      setTitlePrefix('')
    }
  }, [timer])
}
