import type { Caller } from '../../kernel/caller.ts'
import { type Html, html } from '../html.ts'
import { pageLanguage, say } from '../language.ts'
import { alert, page, type Submitted } from './layout.ts'

/** A question for the person of a signed link. */
export interface Question {
  /** The person in whose name the link answers. */
  caller: Caller
  subject: 'decision' | 'escalation' | 'run'
  task: { ticket_number: string; title: string }
  asked_by: string
  text: string
  note: string | null
  options: readonly string[]
  /** The option of the link. */
  selected: string | undefined
  /** What each answer posts to: one token for each option, or one for a text or nothing. */
  tokens: readonly string[]
  isExpired: boolean
  outcome:
    | {
        state: 'answered' | 'cancelled' | 'resolved' | 'over'
        by: string | undefined
        answer: string | null
        at: Date | null
      }
    | undefined
}

export interface GivenAnswer {
  question: Question
  /** False if somebody had answered before. */
  isAccepted: boolean
}

/** Shows what is asked, with a form for each answer. */
export function questionPage(question: Question, status = 200, submitted?: Submitted): Response {
  if (question.outcome || question.isExpired) return endedPage(question, 200)
  return questionCard(titleOf(question), question, formsOf(question, submitted), status)
}

/** Shows the result of an answer: the own one, or that of somebody who was faster. */
export const resultPage = ({ question, isAccepted }: GivenAnswer): Response =>
  isAccepted
    ? questionCard(say('pages.answered'), question, outcomeOf(question, 'pages.answer_saved'), 200)
    : endedPage(question, 409)

const endedPage = (question: Question, status: number) =>
  questionCard(
    endedTitle(question),
    question,
    question.outcome
      ? outcomeOf(question, status === 409 ? 'pages.already_ended' : undefined)
      : html`<p class="caution">${say('pages.link_has_expired')}</p>`,
    status,
  )

const questionCard = (title: string, { task, text, note }: Question, body: Html, status: number) =>
  page(
    title,
    html`<section class="card question">
<p class="hint"><a href="/t/${task.ticket_number}">${task.ticket_number} ${task.title}</a></p>
<p class="asked" dir="auto">${text}</p>
${note ? html`<p class="note" dir="auto">${note}</p>` : ''}
${body}
</section>
<p><a href="/t/${task.ticket_number}">${say('pages.open_the_task')}</a></p>`,
    status,
  )

function titleOf({ subject, asked_by: name }: Question): string {
  if (subject === 'decision') return say('email.decision_requested', { name })
  if (subject === 'escalation') return say('email.escalated', { name })
  return say('pages.name_waits_for_you', { name })
}

function endedTitle(question: Question): string {
  if (!question.outcome) return titleOf(question)
  const { state } = question.outcome
  if (state === 'cancelled') return say('pages.question_cancelled')
  if (state === 'over') return say('pages.run_is_over')
  return say(state === 'resolved' ? 'pages.resolved' : 'pages.answered')
}

function formsOf(question: Question, submitted?: Submitted): Html {
  const { subject, options, selected, tokens } = question
  const refused = alert('answer', [], submitted)
  if (subject === 'run') return html`${refused}${replyForm(tokens[0]!, submitted)}`
  if (subject === 'escalation')
    return html`${refused}${buttonForm(tokens[0]!, say('pages.resolve'), true)}`
  const hasSelected = selected !== undefined
  return html`${refused}<div class="ways">${options.map((option, at) =>
    buttonForm(tokens[at]!, option, !hasSelected || option === selected),
  )}</div>`
}

const buttonForm = (token: string, label: string, isMain: boolean) =>
  html`<form method="post" action="/answers/${token}">
<button${isMain ? '' : html` class="plain"`} dir="auto">${label}</button>
</form>`

const replyForm = (token: string, submitted?: Submitted) =>
  html`<form method="post" action="/answers/${token}">
<div class="field">
<label for="answer-text">${say('pages.your_reply')}</label>
<textarea id="answer-text" name="text" rows="5" maxlength="10000" dir="auto" required autofocus>${submitted?.values.get('text') ?? ''}</textarea>
</div>
<button>${say('pages.reply')}</button>
</form>`

function outcomeOf(question: Question, lead?: 'pages.answer_saved' | 'pages.already_ended'): Html {
  const { answer, by, at } = question.outcome!
  const time = at && timeText(at, question.caller.time_zone)
  return html`${lead ? html`<p role="status">${say(lead)}</p>` : ''}
${answer ? html`<p class="asked" dir="auto"><strong>${answer}</strong></p>` : ''}
${by && time ? html`<p class="hint">${say('pages.ended_by_name', { name: by, time })}</p>` : ''}`
}

const timeText = (at: Date, timeZone: string) =>
  at.toLocaleString(pageLanguage(), { dateStyle: 'medium', timeStyle: 'short', timeZone })
