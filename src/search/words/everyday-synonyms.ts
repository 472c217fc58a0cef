import { synonymLookup } from './synonym-groups.ts'

/**
 * Groups of words that tasks use for the same thing, beside those of software. They make texts
 * similar, but do not widen the questions of a search.
 */
const GROUPS = `
buy order purchase get, price cost fee charge, shipping delivery, cart basket, coupon voucher discount,
customer client buyer shopper, invoice bill, refund reimburse, payment pay charge, vat tax,
subscription plan contract membership, cancel end terminate, renew extend prolong, annual yearly,
monthly month, weekly week, daily day, picture photo image, film video, trip travel journey excursion,
flight plane airline, hotel accommodation lodging, book reserve, rent hire, car vehicle,
truck van lorry, bike bicycle, tyre tire, repair mend replace, broken defective damaged dead,
leak drip, tap faucet, heating radiator heater, clean wash tidy, dirty stained, noise sound loud,
strange weird odd, kitchen cooking, fridge refrigerator, oven stove, coffee espresso, plant flower,
water irrigate, tree bush, garden yard, cut prune trim, wall corridor hallway, floor storey,
roof attic, door entrance, chair seat, desk table, room office venue, meeting appointment call,
schedule plan arrange organise, date appointment deadline, deadline due, invite invitation,
guest attendee participant, talk speech presentation, speaker presenter, projector beamer,
email mail letter, send deliver forward, message mail, notification alert message push, mute silence,
night evening, morning early, reply answer respond, phone telephone call hotline, call ring,
employee staff worker colleague, hire recruit, candidate applicant, job position vacancy,
interview conversation, company firm employer business, boss manager, team group,
contract agreement, law legal, sign signature, privacy confidential private personal,
delete erase remove, keep retain stay, lost missing gone, twice double duplicate repeated,
merge combine, same identical duplicate, wrong incorrect false, empty blank, full filled,
almost nearly, slow long late delay, fast quick speed, freeze hang stuck unresponsive, crash die kill,
stop abort halt, start begin launch, fail error break, refuse decline reject deny, block prevent lock,
show display see visible view, hide conceal cover, hidden covered, open view, read view,
find search look, write create author, change edit update modify, add include insert, use apply,
attach attachment file upload, file document, folder directory, text content, word term,
picture illustration, icon symbol, logo brand, color colour, dark night, light bright,
layout design, button control, field input box, list table overview, page site, screen display,
mobile phone smartphone, ios iphone ipad, tablet ipad, app application, computer laptop pc,
keyboard key, blind accessible reader, alternative alt, network connection wifi internet,
offline disconnected, login signin sign, logout signout, password credential, session login,
account user profile, permission right role access, admin administrator, guest external,
member user, team workspace, project board, task ticket card issue item, column list, label tag,
comment remark note, due deadline, assign responsible, owner responsible, draft unsent, description text,
archive old, history past old, date day, calendar schedule, repeat recur recurring, remind reminder,
report summary digest, statistics metric figure number, chart graph, visitor user, bot robot crawler,
measure track count, log record trail, audit log, monitor watch, backup dump, restore recover,
database sql postgres postgresql mysql, table relation, index key, server host machine, disk storage space,
memory ram, cpu load, cache store, container docker image, release version deploy, pipeline ci build,
test check verify, exam test, mark correct grade, flaky unstable random, dependency package library,
vulnerability cve security hole, secret key credential, certificate tls https ssl, encrypt tls,
malware virus infected, spam junk, api interface endpoint rest, limit quota rate, budget cost limit,
agent bot assistant, human person people, approve approval confirm permission, loop repeat,
language translation translate, manual handbook guide documentation docs, example sample,
tour walkthrough guide, beginner new first, welcome greeting, question query, feedback survey rating,
school class lesson, teacher tutor, book textbook, parent family, pupil student,
temperature heat, battery power energy, standby sleep idle, firmware ota, sensor probe, led indicator,
reset restart reboot, doctor physician, medicine drug, insurance policy, bank account, money cash,
holiday vacation away, birthday anniversary, gift present, food meal lunch catering, shop store,
stock inventory available, product article item goods, supplier vendor, address location,
contact person, lead prospect, offer quote, tender bid, meeting session, minutes protocol
`

export const everydaySynonymsOf = synonymLookup(GROUPS)
