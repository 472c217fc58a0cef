/**
 * Lines typed on Friday, 20 November 2026 at 13:00, with the expected result:
 * `line > title | due | repeats | priority`. The boards are Home page (HP), to which the tasks are
 * added, and Garden (GAR).
 */
export const UNDERSTOOD = `
Call mum today > Call mum | 2026-11-20
Call mum tomorrow > Call mum | 2026-11-21
Tomorrow call mum > call mum | 2026-11-21
Call mum tmr > Call mum | 2026-11-21
Call mum tmrw > Call mum | 2026-11-21
Call mum TOMORROW > Call mum | 2026-11-21
Call mum yesterday > Call mum | 2026-11-19
Call mum the day after tomorrow > Call mum | 2026-11-22
Call mum tonight > Call mum | 2026-11-20 20:00
Call mum tonight at 9 > Call mum | 2026-11-20 21:00
Call mum tonight at 9:30pm > Call mum | 2026-11-20 21:30
Call mum, tomorrow > Call mum | 2026-11-21
Call mum (tomorrow) soon > Call mum soon | 2026-11-21
Call mum tomorrow. > Call mum. | 2026-11-21
Call mum - tomorrow > Call mum | 2026-11-21
Tomorrow: call mum > call mum | 2026-11-21
Call mum tomorrow about the party > Call mum about the party | 2026-11-21
Call mum due tomorrow > Call mum | 2026-11-21
Call mum by tomorrow > Call mum | 2026-11-21
Slides for tomorrow > Slides | 2026-11-21
Call mum tomorrow 9am > Call mum | 2026-11-21 09:00
Call mum tomorrow at 9am > Call mum | 2026-11-21 09:00
Call mum tomorrow at 9 > Call mum | 2026-11-21 09:00
Call mum tomorrow at 9 o'clock > Call mum | 2026-11-21 09:00
Call mum tomorrow, 9:15 > Call mum | 2026-11-21 09:15
Call mum tomorrow 9.15am > Call mum | 2026-11-21 09:15
Call mum tomorrow 9:15 PM > Call mum | 2026-11-21 21:15
Call mum tomorrow 9 p.m. > Call mum | 2026-11-21 21:00
Call mum tomorrow 12am > Call mum | 2026-11-21 00:00
Call mum tomorrow 12pm > Call mum | 2026-11-21 12:00
Call mum tomorrow noon > Call mum | 2026-11-21 12:00
Call mum tomorrow at noon > Call mum | 2026-11-21 12:00
Call mum tomorrow 23:59 > Call mum | 2026-11-21 23:59
Call mum tomorrow 0:00 > Call mum | 2026-11-21 00:00
Call mum tomorrow morning > Call mum | 2026-11-21 09:00
Call mum tomorrow afternoon > Call mum | 2026-11-21 15:00
Call mum tomorrow in the evening > Call mum | 2026-11-21 19:00
Call mum tomorrow night > Call mum | 2026-11-21 21:00
Call mum 9am tomorrow > Call mum | 2026-11-21 09:00
Call mum at 17:00 tomorrow > Call mum | 2026-11-21 17:00
Call mum at 5 on friday > Call mum | 2026-11-27 05:00
Tomorrow call mum at 5pm > call mum | 2026-11-21 17:00
Tomorrow call Ada at 5 Guys > call Ada at 5 Guys | 2026-11-21
Call mum today 9am > Call mum | 2026-11-20 09:00
Call mum 5pm > Call mum | 2026-11-20 17:00
Call mum at 5 pm > Call mum | 2026-11-20 17:00
Call mum at 17:30 > Call mum | 2026-11-20 17:30
Call mum by 17:30 > Call mum | 2026-11-20 17:30
Call mum 9am > Call mum | 2026-11-21 09:00
Call mum at 13:00 > Call mum | 2026-11-21 13:00
Call mum at noon > Call mum | 2026-11-21 12:00
5pm call mum > call mum | 2026-11-20 17:00
Call mum friday > Call mum | 2026-11-20
Call mum Saturday > Call mum | 2026-11-21
Call mum thursday > Call mum | 2026-11-26
Call mum monday > Call mum | 2026-11-23
Call mum on Monday > Call mum | 2026-11-23
Call mum this monday > Call mum | 2026-11-23
Call mum next monday > Call mum | 2026-11-23
Call mum next friday > Call mum | 2026-11-27
Call mum next thu > Call mum | 2026-11-26
Call mum tue > Call mum | 2026-11-24
Call mum tues > Call mum | 2026-11-24
Call mum thurs > Call mum | 2026-11-26
Call mum on wed > Call mum | 2026-11-25
Call mum sat 10am > Call mum | 2026-11-21 10:00
Call mum by fri > Call mum | 2026-11-20
Call mum friday 9am > Call mum | 2026-11-27 09:00
Call mum friday 3pm > Call mum | 2026-11-20 15:00
Call mum friday night > Call mum | 2026-11-20 21:00
Call mum next week > Call mum | 2026-11-23
Call mum next month > Call mum | 2026-12-01
Call mum next year > Call mum | 2027-01-01
Call mum this weekend > Call mum | 2026-11-21
Call mum next weekend > Call mum | 2026-11-28
Call mum in 3 hours > Call mum | 2026-11-20 16:00
Call mum in 3h > Call mum | 2026-11-20 16:00
Call mum in an hour > Call mum | 2026-11-20 14:00
Call mum in half an hour > Call mum | 2026-11-20 13:30
Call mum in 45 minutes > Call mum | 2026-11-20 13:45
Call mum in 12 hours > Call mum | 2026-11-21 01:00
Call mum in 2 days > Call mum | 2026-11-22
Call mum in two days > Call mum | 2026-11-22
Call mum in a week > Call mum | 2026-11-27
Call mum in 3 months > Call mum | 2027-02-20
Call mum in 2 days at 9am > Call mum | 2026-11-22 09:00
Call mum on 24 dec > Call mum | 2026-12-24
Call mum 24 dec > Call mum | 2026-12-24
Call mum 24 December > Call mum | 2026-12-24
Call mum 24th of december > Call mum | 2026-12-24
Call mum dec 24 > Call mum | 2026-12-24
Call mum December 24th > Call mum | 2026-12-24
Call mum December 24th, 2027 > Call mum | 2027-12-24
Call mum 24 dec 2025 > Call mum | 2025-12-24
Call mum 24 dec at 18:00 > Call mum | 2026-12-24 18:00
Call mum 20 nov > Call mum | 2026-11-20
Call mum 19 nov > Call mum | 2027-11-19
Call mum on feb 29 > Call mum | 2028-02-29
Call mum May 4th > Call mum | 2027-05-04
Call mum on may 4 > Call mum | 2027-05-04
Call mum may 4 > Call mum | 2027-05-04
Call mum 3 march > Call mum | 2027-03-03
Call mum on the 24th > Call mum | 2026-11-24
Call mum on the 15th > Call mum | 2026-12-15
Call mum on the 31st > Call mum | 2026-12-31
Call mum 2026-12-01 > Call mum | 2026-12-01
Call mum on 2026-12-01 9:30 > Call mum | 2026-12-01 09:30
Call mum 2026-12-01T15:00 > Call mum | 2026-12-01 15:00
Call mum 2026-12-01T15:00:00Z > Call mum | 2026-12-01 16:00
Call mum 12/24/2026 > Call mum | 2026-12-24
Call mum 3/4/2027 > Call mum | 2027-03-04
Call mum on 3/4 > Call mum | 2027-03-04
Call mum 24.12.2026 > Call mum | 2026-12-24
Pay rent every day > Pay rent | 2026-11-20 | Daily
Pay rent daily > Pay rent | 2026-11-20 | Daily
Pay rent daily at 9 > Pay rent | 2026-11-21 09:00 | Daily
Pay rent every day at 5pm > Pay rent | 2026-11-20 17:00 | Daily
Pay rent at 5pm every day > Pay rent | 2026-11-20 17:00 | Daily
Pay rent every day in the evening > Pay rent | 2026-11-20 19:00 | Daily
Pay rent every weekday > Pay rent | 2026-11-20 | Weekdays
Pay rent every weekday 9:30 > Pay rent | 2026-11-23 09:30 | Weekdays
Pay rent weekdays > Pay rent | 2026-11-20 | Weekdays
Pay rent on weekdays > Pay rent | 2026-11-20 | Weekdays
Pay rent every workday > Pay rent | 2026-11-20 | Weekdays
Every week pay rent > pay rent | 2026-11-20 | Weekly
Pay rent weekly > Pay rent | 2026-11-20 | Weekly
Pay rent every week on monday > Pay rent | 2026-11-23 | Weekly
Pay rent every monday > Pay rent | 2026-11-23 | Weekly
Pay rent every friday > Pay rent | 2026-11-20 | Weekly
Pay rent every friday 9am > Pay rent | 2026-11-27 09:00 | Weekly
Pay rent every mon at 7pm > Pay rent | 2026-11-23 19:00 | Weekly
Pay rent every two weeks > Pay rent | 2026-11-20 | Biweekly
Pay rent every 2 weeks on tuesday > Pay rent | 2026-11-24 | Biweekly
Pay rent every other week > Pay rent | 2026-11-20 | Biweekly
Pay rent every other monday > Pay rent | 2026-11-23 | Biweekly
Pay rent biweekly > Pay rent | 2026-11-20 | Biweekly
Pay rent bi-weekly > Pay rent | 2026-11-20 | Biweekly
Pay rent fortnightly > Pay rent | 2026-11-20 | Biweekly
Pay rent every fortnight > Pay rent | 2026-11-20 | Biweekly
Pay rent every month > Pay rent | 2026-11-20 | Monthly
Pay rent monthly > Pay rent | 2026-11-20 | Monthly
Pay rent every month on the 1st > Pay rent | 2026-12-01 | Monthly
Pay rent every month from the 1st > Pay rent | 2026-12-01 | Monthly
Pay rent on the 1st of every month > Pay rent | 2026-12-01 | Monthly
1st of every month: pay rent > pay rent | 2026-12-01 | Monthly
Pay rent every 15th at 9am > Pay rent | 2026-12-15 09:00 | Monthly
Run every morning > Run | 2026-11-21 09:00 | Daily
Run every evening starting monday > Run | 2026-11-23 19:00 | Daily
Dinner friday @ 7pm > Dinner | 2026-11-20 19:00
Dinner @7pm > Dinner | 2026-11-20 19:00
Tuesday Dentist > Dentist | 2026-11-24
Pay rent every month starting tomorrow > Pay rent | 2026-11-21 | Monthly
Pay rent monthly tomorrow 9am > Pay rent | 2026-11-21 09:00 | Monthly
Call mum on the 5th of january > Call mum | 2027-01-05
Call mum on the 5th of january 2028 > Call mum | 2028-01-05
Call mum the 5th january > Call mum | 2027-01-05
Call mum on the 1st of january 2027 at 9am > Call mum | 2027-01-01 09:00
Call mum Dec. 1 at 3pm > Call mum | 2026-12-01 15:00
Call mum on Dec. 1, 2027 now > Call mum now | 2027-12-01
Call mum 1 Dec. 2027 > Call mum | 2027-12-01
Call mum 24 dec. Then cook > Call mum. Then cook | 2026-12-24
Friday evening at 6 call mum > call mum | 2026-11-20 18:00
Call mum friday at 6 in the evening > Call mum | 2026-11-20 18:00
Call mum friday evening at 17:30 > Call mum | 2026-11-20 17:30
Call mum friday night at 10pm > Call mum | 2026-11-20 22:00
Call mum friday morning at 8 > Call mum | 2026-11-27 08:00
Call mum tomorrow afternoon at 3 > Call mum | 2026-11-21 15:00
Call mum this evening > Call mum | 2026-11-20 19:00
Call mum this evening at 6:30 > Call mum | 2026-11-20 18:30
Call mum at 6 in the evening > Call mum | 2026-11-20 18:00
Call mum at 6:30 in the evening > Call mum | 2026-11-20 18:30
Deploy 9am tomorrow 10am > Deploy 9am | 2026-11-21 10:00
Deploy at 9 tomorrow at 10 > Deploy at 9 | 2026-11-21 10:00
Call mum tomorrow at 25:00 > Call mum at 25:00 | 2026-11-21
3pm CET tomorrow call mum > 3pm CET call mum | 2026-11-21
Call mum 9am wet or dry > Call mum wet or dry | 2026-11-21 09:00
Pay rent every month on the first > Pay rent | 2026-12-01 | Monthly
Pay rent on the first of every month > Pay rent | 2026-12-01 | Monthly
Pay rent on the 5th of each month > Pay rent | 2026-12-05 | Monthly
Pay rent every monday to friday > Pay rent | 2026-11-20 | Weekdays
Pay rent every mon-fri at 9 > Pay rent | 2026-11-23 09:00 | Weekdays
Call mum every sunday evening at 6 > Call mum | 2026-11-22 18:00 | Weekly
Call mum every evening at 6:30 > Call mum | 2026-11-20 18:30 | Daily
Run every night at 12 > Run | 2026-11-21 00:00 | Daily
Pay rent every month on 15th > Pay rent | 2026-12-15 | Monthly
Pay rent every second tuesday > Pay rent | 2026-11-24 | Biweekly
Pay rent every day, tomorrow > Pay rent | 2026-11-21 | Daily
Pay rent every day for Ada > Pay rent for Ada | 2026-11-20 | Daily
Pay rent every day at 9, call mum > Pay rent, call mum | 2026-11-21 09:00 | Daily
Save money every week and smile > Save money and smile | 2026-11-20 | Weekly
Every weekday at 9 and 2 eggs > and 2 eggs | 2026-11-23 09:00 | Weekdays
Run every week on monday and thursday > Run | 2026-11-23 | FREQ=WEEKLY;BYDAY=MO,TH
Run every two weeks on mon and thu > Run | 2026-11-23 | FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH
Run every month on the last day > Run | 2026-11-30 | FREQ=MONTHLY;BYMONTHDAY=-1
Run the last day of every month > Run | 2026-11-30 | FREQ=MONTHLY;BYMONTHDAY=-1
Run every month on the first monday > Run | 2026-12-07 | FREQ=MONTHLY;BYDAY=1MO
Run every month on the 1st monday > Run | 2026-12-07 | FREQ=MONTHLY;BYDAY=1MO
Run every second tuesday of the month > Run | 2026-12-08 | FREQ=MONTHLY;BYDAY=2TU
Run every first monday > Run | 2026-12-07 | FREQ=MONTHLY;BYDAY=1MO
Run every day until friday > Run | 2026-11-20 | FREQ=DAILY;UNTIL=20261120
Run every 1st and 15th > Run | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15
Run every month on the 1st and 15th > Run | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15
Run on the 1st and 15th of every month > Run | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15
Run every 2nd friday > Run | 2026-12-11 | FREQ=MONTHLY;BYDAY=2FR
Run every third tuesday at 9 > Run | 2026-12-15 09:00 | FREQ=MONTHLY;BYDAY=3TU
Run every last friday > Run | 2026-11-27 | FREQ=MONTHLY;BYDAY=-1FR
Run every last friday of the month > Run | 2026-11-27 | FREQ=MONTHLY;BYDAY=-1FR
Run on the last friday of every month > Run | 2026-11-27 | FREQ=MONTHLY;BYDAY=-1FR
Run every other friday > Run | 2026-11-20 | Biweekly
Run every mon, wed and fri at 7pm > Run | 2026-11-20 19:00 | FREQ=WEEKLY;BYDAY=MO,WE,FR
Run every 3 days > Run | 2026-11-20 | FREQ=DAILY;INTERVAL=3
Run every 7 days > Run | 2026-11-20 | Weekly
Run every 3 months > Run | 2026-11-20 | FREQ=MONTHLY;INTERVAL=3
Run every third month > Run | 2026-11-20 | FREQ=MONTHLY;INTERVAL=3
Run quarterly > Run | 2026-11-20 | FREQ=MONTHLY;INTERVAL=3
Run every 3 months on the 15th > Run | 2026-12-15 | FREQ=MONTHLY;INTERVAL=3
Run every year > Run | 2026-11-20 | FREQ=YEARLY
Run every year on 1 march > Run | 2027-03-01 | FREQ=YEARLY
Run yearly > Run | 2026-11-20 | FREQ=YEARLY
Run every 3 months after completion > Run | 2026-11-20 | FREQ=MONTHLY;INTERVAL=3;FROM=COMPLETION
Run every friday after completion > Run | 2026-11-20 | FREQ=WEEKLY;BYDAY=FR;FROM=COMPLETION
Run every 3 months on the 15th after completion > Run | 2026-12-15 | FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15;FROM=COMPLETION
Run every day until 2027-03-01 > Run | 2026-11-20 | FREQ=DAILY;UNTIL=20270301
Run weekly until 24 dec with Ada > Run with Ada | 2026-11-20 | FREQ=WEEKLY;UNTIL=20261224
Run every friday at 9am until 1 march > Run | 2026-11-27 09:00 | FREQ=WEEKLY;UNTIL=20270301
Run every friday until 1 march at 9am > Run | 2026-11-27 09:00 | FREQ=WEEKLY;UNTIL=20270301
Run every weekday 10 times > Run | 2026-11-20 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=10
Run every day for three times after completion > Run | 2026-11-20 | FREQ=DAILY;COUNT=3;FROM=COMPLETION
Pay rent !high > Pay rent | | | 2
Pay rent !URGENT > Pay rent | | | 1
!medium Pay rent > Pay rent | | | 3
Pay rent !low now > Pay rent now | | | 4
Pay rent !1 > Pay rent | | | 1
Pay rent !4, please > Pay rent, please | | | 4
Pay rent every month tomorrow 9am !high > Pay rent | 2026-11-21 09:00 | Monthly | 2
!2 every month 9am pay rent > pay rent | 2026-11-21 09:00 | Monthly | 2
Read "Tomorrow" tomorrow > Read "Tomorrow" | 2026-11-21
Write \\!high tomorrow > Write !high | 2026-11-21
Watch “Every day” !low > Watch “Every day” | | | 4
`

/** In these nothing is meant but what they say. */
export const UNTOUCHED = `
May the force be with you
Buy 2 eggs
Version 1.2
call 555 1234
Ask Mark at 12 Monkeys
March for science
Wait a second
Do it now
The cat sat on the mat
Sun cream
Wed them at last
Write weekly report
Daily standup notes
Monthly newsletter: ideas
Ask Jan 5 questions
Only 4 may enter
April 5 friends come
Read John 3:16
Won 2:1
1/2 cup of sugar
24/7 support
Fix 10.0.1
Print 300 pages
Room 101
Black Friday deals
Buy the Sunday Times
Minutes of monday
Report about yesterday
Since tomorrow never comes
Ben's friday talk
Friday's menu
Prepare tomorrow's lunch
Find a monday
The 9am train
From 9am to 10am
9am-10am gym
tomorrow or friday
Monday to friday
Everyday carry
Each week has seven days
Every day of the year
Chapter 3 PM notes
I am 4 am I not
Once in a week
Remind me again
Next steps
Next door
In the morning paper
Wow! great
Use !important
Wow!high
ada@example.com
C#sharp and F#
Issue #12
a#b
See https://example.com/#home?d=2026-12-01
Ship v2026-12-01
Pack 2026-12-01.zip
On 31 feb
Meet on 2026-02-30
30/02/2026
At 25:00
Half past nine
Secondary school
Decide
Marching orders
Sat nav
Mon ami
Watch Saturday Night Live
Try Thursday Therapy
Fix Monday.com integration
Lunch at 12
Review 2/3 of the draft
Renew it in 2027
Plan it in march
Finish by end of month
Every night I dream
a week from tomorrow
Not every day
Almost every day it rains
Ask Jan. 5 people came
`

/** Lines with a date or rule that cannot be parsed. They stay unchanged, with a warning. */
export const NOT_UNDERSTOOD = `
Call mum the 30th of february
Call mum on the 30th of february 2027 at noon
30 feb dentist
2026-02-30 dentist
Call mum 2026-12-01T25:00
Call mum on 13/25
Call mum at 25:00
Call mum at 13pm
Call mum 9am est
Call mum 9am PT
Call mum 2026-12-01T15:00 CET
Call mum on the 5th of next month
Call mum friday of next week
Call mum 5 Dec '27
Call mum friday night at 12
Call mum tonight at 12
Run every weekday except friday
Run every weekday (except friday)
Run every weekday at 9 except friday
Run every day except sunday
Run every day but sunday
Run every monday at 9am and friday at 10am
Run every weekday and sunday
Run every week on the weekend
Run every day from monday to friday
Run end of every month
Run at the end of every month
Run every day with Ada until friday
Run weekly until christmas
Run every day for 3 weeks
Run every day this week
Run every monday in december
Run every month 15th
Run every day at 9 and 17
Run every day at 9am and 5pm
Run every day at 9:00, 12:00 and 17:00
Run at 9 and 17 every day
Run twice every week
Run 3 times every week
Run every 6th friday
Run every 0 days
Run every hour
Run every monday or friday
Run every day 10 times until friday
Run every day until 30 feb
`
