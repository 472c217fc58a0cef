import { useEffect, useMemo, useRef } from 'react'
import { type Offer, useOffers } from '../frame/offers.ts'
import { useOpenTask } from '../frame/places.ts'
import { headTitle } from '../frame/title.ts'
import { Icon } from '../parts/icon.tsx'
import { spent } from './clock.ts'
import { pause, resume, secondsNow, type Timer, useTimers } from './data.ts'
import { StopForm } from './stop.tsx'
import { Ticking } from './ticking.tsx'
import { stopping } from './toggle.ts'
import './timers.css'

/** More of them are behind the palette. */
const MOST = 3

/** The timers that run or are paused, with what can be done with each, wherever one is. */
export default function Running() {
  const timers = useTimers()
  useOffers(useMemo(() => timers.flatMap(offersOf), [timers]))
  useTitle(timers.find(({ state }) => state === 'running'))
  const asked = stopping.use()
  if (!timers.length) return null
  // The one that is asked about is always among them.
  const shown = timers.toSorted((a, b) => Number(b.task_id === asked) - Number(a.task_id === asked))
  const more = timers.length - MOST
  return (
    <section className="timers" aria-label="Your timers">
      {shown.slice(0, MOST).map((timer) => (
        <Line key={timer.task_id} timer={timer} isStopping={timer.task_id === asked} />
      ))}
      {more > 0 && <p className="soft">{more} more, in the palette</p>}
    </section>
  )
}

function Line({ timer, isStopping }: { timer: Timer; isStopping: boolean }) {
  const open = useOpenTask()
  const button = useRef<HTMLButtonElement>(null)
  const { ticket_number, title, state, task_id } = timer
  const runs = state === 'running'
  return (
    <div className={`timer ${state}`}>
      <button
        type="button"
        className="of"
        title={`${title}: ${runs ? 'the timer runs' : 'the timer is paused'}`}
        onClick={() => open(ticket_number)}
      >
        <span className="beat" aria-hidden="true" />
        <span className="key">{ticket_number}</span>
        <Ticking timer={timer} />
        <span className="unseen">{runs ? 'runs' : 'paused'}</span>
      </button>
      <button
        type="button"
        className="button quiet only"
        onClick={() => (runs ? pause(timer) : resume(timer))}
      >
        <Icon
          name={runs ? 'pause' : 'play'}
          label={`${runs ? 'Pause' : 'Resume'} ${ticket_number}`}
        />
      </button>
      <button
        type="button"
        ref={button}
        className="button quiet only"
        aria-haspopup="dialog"
        aria-expanded={isStopping}
        onClick={() => stopping.put(task_id)}
      >
        <Icon name="stop" label={`Stop ${ticket_number}`} />
      </button>
      {isStopping && (
        <StopForm timer={timer} anchor={button.current} onClose={() => stopping.put(undefined)} />
      )}
    </div>
  )
}

function offersOf(timer: Timer): Offer[] {
  const { ticket_number, state, task_id } = timer
  const of = `the timer of ${ticket_number}`
  return [
    state === 'running'
      ? { name: `Pause ${of}`, icon: 'pause', also: 'time', run: () => pause(timer) }
      : { name: `Resume ${of}`, icon: 'play', also: 'time', run: () => resume(timer) },
    {
      ...{ name: `Stop ${of}`, icon: 'stop', also: 'time end' },
      // The palette hands on the focus first.
      run: () => setTimeout(() => stopping.put(task_id), HANDED_MS),
    },
  ]
}

/** Whole ones: the tab is not written anew each second. */
const minutes = (seconds: number) => (seconds < 60 ? '0 min' : spent(Math.floor(seconds / 60) * 60))

const HANDED_MS = 120
const MINUTE_MS = 60_000

/** Which timer runs is seen on the tab of the browser too. */
function useTitle(timer: Timer | undefined) {
  useEffect(() => {
    if (!timer) return
    const tell = () => headTitle(`${minutes(secondsNow(timer))} ${timer.ticket_number}`)
    tell()
    const each = setInterval(tell, MINUTE_MS / 4)
    return () => {
      clearInterval(each)
      headTitle('')
    }
  }, [timer])
}
