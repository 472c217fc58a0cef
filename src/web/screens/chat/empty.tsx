import type { CurrentChat } from './current-chat.ts'

interface Props {
  current: CurrentChat
  onSay(words: string): void
}

const TASK_QUESTIONS = [
  'Summarize the discussion',
  'What is still missing?',
  'Split it into subtasks',
]
const BOARD_QUESTIONS = [
  'What is overdue, and who is assigned to it?',
  'Plan this week',
  'What happened since yesterday?',
]
const GENERAL_QUESTIONS = ['What should I do next?', 'What is waiting for me?']

/** Example questions for an empty chat. */
export function ChatStart({ current, onSay }: Props) {
  const { task, name } = current.about
  const questions = task ? TASK_QUESTIONS : name ? BOARD_QUESTIONS : GENERAL_QUESTIONS
  return (
    <div className="begin">
      <p className="lead">Ask about {name ?? 'your boards'}, or describe what you need.</p>
      <ul>
        {questions.map((question) => (
          <li key={question}>
            <button type="button" className="button plain" onClick={() => onSay(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
      <p className="soft">
        The chat acts as you, with your permissions, and asks before it changes anything. <b>/</b>{' '}
        runs a skill, <b>@</b> mentions people, agents and tasks.
      </p>
    </div>
  )
}
