import { rich, t } from '../../messages/t.ts'
import type { CurrentChat } from './current-chat.ts'

interface Props {
  current: CurrentChat
  onInsert(newText: string): void
}

const TASK_QUESTIONS = [
  t('chat.summarize_the_discussion'),
  t('chat.what_is_still_missing'),
  t('chat.split_it_into_subtasks'),
]
const BOARD_QUESTIONS = [
  t('chat.what_is_overdue_and_who_is_assigned'),
  t('chat.plan_this_week'),
  t('chat.what_happened_since_yesterday'),
]
const GENERAL_QUESTIONS = [t('chat.what_should_i_do_next'), t('chat.what_is_waiting_for_me')]

/** Example questions for an empty chat. */
export function ChatStart({ current, onInsert }: Props) {
  const { task, name } = current.about
  const questions = task ? TASK_QUESTIONS : name ? BOARD_QUESTIONS : GENERAL_QUESTIONS
  return (
    <div className="welcome">
      <p className="intro">
        {name ? t('chat.ask_about_name', { name }) : t('chat.ask_about_your_boards')}
      </p>
      <ul>
        {questions.map((question) => (
          <li key={question}>
            <button type="button" className="button plain" onClick={() => onInsert(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
      <p className="soft">
        {rich('chat.the_chat_acts_as_you_with_your', { b: <b>/</b>, b2: <b>@</b> })}
      </p>
    </div>
  )
}
