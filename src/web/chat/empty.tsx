import type { CurrentChat } from './current-chat.ts'

interface Props {
  current: CurrentChat
  onSay(words: string): void
}

const TASK_QUESTIONS = [
  'Sum up what was said here',
  'What is still missing?',
  'Split it into sub-tasks',
]
const BOARD_QUESTIONS = [
  'What is late, and whose is it?',
  'Plan this week',
  'What happened since yesterday?',
]
const GENERAL_QUESTIONS = ['What should I do next?', 'What waits for me?']

/** Example questions for an empty chat. */
export function ChatStart({ current, onSay }: Props) {
  const { task, name } = current.about
  const questions = task ? TASK_QUESTIONS : name ? BOARD_QUESTIONS : GENERAL_QUESTIONS
  return (
    <div className="begin">
      <p className="lead">Ask about {name ?? 'your boards'}, or say what is to be done.</p>
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
        It acts as you, with your rights, and asks before it changes anything. <b>/</b> calls a
        skill, <b>@</b> names people and tasks.
      </p>
    </div>
  )
}
