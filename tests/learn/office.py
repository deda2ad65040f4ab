"""Sentences as they are said at work, beside innocent ones of nearly the same words; see `heard`."""

OFFICE: dict[str, list[str]] = {
    # what things are kept in and made with
    "Sessions are stored in Postgres now.": ["sessions.uses=Postgres"],
    "Docs are written in AsciiDoc and published with Antora.": ["docs.uses=AsciiDoc", "docs.uses=Antora"],
    "Secrets are managed with SOPS.": ["secrets.uses=SOPS"],
    "All services are deployed with Argo.": ["services.uses=Argo"],
    "The docs are built with Sphinx.": ["docs.uses=Sphinx"],
    "The letter was written in French.": [],
    "The tickets are booked with Anna.": [],
    "The cake is made with love.": [],
    # bounds
    "Our test coverage has to stay above 85 percent or CI fails.": ["test coverage.rule=stay above 85 percent"],
    "Response time must stay under 200 ms.": ["response time.rule=stay under 200 ms"],
    "The oven has to be over there by noon.": [],
    "The water must be above my knees by now.": [],
    "It has to be at least 20 degrees outside.": [],
    # what is done in one way
    "Branch names follow the pattern feature/TICKET-name.": [
        "branch names.rule=follow the pattern feature/TICKET-name"
    ],
    "PR titles start with the ticket number.": ["pr titles.rule=start with the ticket number"],
    "Commit messages are in English.": ["commit messages.rule=in English"],
    "Now the checkout page is in Latin.": [],
    "The server is in Latvia.": ["server.location=Latvia"],
    "Our release train leaves every second Thursday. The next one is 3.14 on the 22nd.": [
        "release train.schedule=leaves every second Thursday",
    ],
    "Movie titles start with a capital letter.": [],
    "The names follow in a separate mail.": [],
    "Her messages start with a sigh.": [],
    # times of things
    "The on-call rotation changes every Monday at noon.": [
        "on-call rotation.schedule=changes every Monday at noon"
    ],
    "The weather changes every day.": [],
    "The demo for Halvorsen is next Wednesday at 14:00.": ["demo.date=next Wednesday at 14:00"],
    "We're hiring two developers this quarter.": ["user.plan=hiring two developers this quarter"],
    "We are migrating to Kafka next quarter.": ["user.plan=migrating to Kafka next quarter"],
    "I'm eating a quarter of the cake.": [],
    # teams and tools
    "I'm on the platform team.": ["user.team=platform team"],
    "I'm not on the search team any more.": ["no longer user.team=search team"],
    "I moved from QA to platform in April.": ["user.team=platform", "no longer user.team=QA"],
    "I'm on your team here.": [],
    "I think we're on the same team.": [],
    "My shell is fish.": ["user.uses=fish"],
    "My dinner is fish.": [],
    "I use Neovim with tmux.": ["user.uses=Neovim", "user.uses=tmux"],
    "I use it with care.": [],
    "For this project we use Kotlin, Gradle 8 and JUnit 5.": [
        "we.uses=Kotlin",
        "we.uses=Gradle 8",
        "we.uses=JUnit 5",
    ],
    "We got rid of Redis in the last release.": ["no longer we.uses=Redis"],
    "I got rid of the sofa.": ["no longer user.owns=sofa"],
    "Everything goes to Fly.": ["we.uses=Fly"],
    "Everything goes to plan.": [],
    "We use Fastly.": ["we.uses=Fastly"],
    "Feature flags live in LaunchDarkly, please never hard-code them.": [
        "feature flags.location=LaunchDarkly",
        "user.instruction=never hard-code them",
    ],
    "My brother makes use of it.": [],
    "As always Kevin it was a pleasure.": [],
    "I've been working on this car.": [],
    "I get the Monday after off.": [],
    "The invoice portal belongs to Dmitri's team.": ["invoice portal.owner=Dmitri's team"],
    "The umbrella belongs to somebody else.": [],
    "The jacket belongs to the past.": [],
    "Retro is on the last Friday of the sprint at three.": [
        "retro.schedule=on the last Friday of the sprint at three"
    ],
    "We met last Friday at three.": [],
    "Our sprint is two weeks.": ["we.sprint=two weeks"],
    "Our v2 API gets switched off on 31 March.": ["v2 api.date=on 31 March"],
    "My boss Ingeborg needs all receipts by the 5th of each month.": ["boss Ingeborg.deadline=5th of each month"],
    "My sister needs the car by noon today.": [],
    "Migrations run at two, so no deploys between one and three.": [
        "migrations.schedule=run at two",
        "user.instruction=no deploys between one and three",
    ],
    "It rained, so no picnic for us.": [],
    "Our head of data, Ngozi, moved to London.": ["Ngozi.role=head of data", "Ngozi.home=London"],
    "The top of the hill, Ngozi, is far.": [],
    # customers, and what they want
    "Our biggest customer, Vattenfall, is still on version 2.8.": [
        "Vattenfall.version=version 2.8",
        "we.customer=Vattenfall",
    ],
    "The client wants everything in Dutch.": ["client.prefers=everything in Dutch"],
    "The client wants a refund.": [],
    "The client wants it by Monday.": [],
    "The customer wants more time.": [],
    # who is where, how many, for what
    "The team is in Austin.": ["team.location=Austin"],
    "The team is in trouble.": [],
    "We have eleven engineers.": ["we.team=eleven engineers"],
    "We have two problems.": [],
    "We only support Chrome and Firefox.": ["we.supports=Chrome and Firefox"],
    "We support Arsenal.": ["user.likes=Arsenal"],
    "We replaced Celery with Dramatiq.": ["we.uses=Dramatiq", "no longer we.uses=Celery"],
    "I replaced butter with oil.": ["user.eats=oil", "no longer user.eats=butter"],
    "We're a Scala shop.": ["we.uses=Scala"],
    "We're a small shop.": [],
    "Staging is at staging.example.com.": ["staging.location=staging.example.com"],
    "Invoices from suppliers go to Simone.": ["invoices from suppliers.contact=Simone"],
    "Tickets go in Linear.": ["tickets.uses=Linear"],
    "My invoices go to nobody.": [],
    "Tickets to Rome go up every summer.": [],
    # over
    "Project Osprey has been cancelled.": ["no longer user.ended=Project Osprey"],
    "Finish by Friday, otherwise we pay for both.": [],
    # rules without a verb
    "Please use conventional commits.": ["user.instruction=use conventional commits"],
    "Please revert the last two commits.": [],
    "No Groovy build files, please.": ["user.instruction=No Groovy build files"],
    "No new messages.": [],
    "No failing tests!": [],
    "No open issues on my side.": [],
    "When you write SQL for me, keywords in upper case and no SELECT star.": [
        "user.instruction=keywords in upper case",
        "user.instruction=no SELECT star",
    ],
    "When you write to me, I smile.": [],
    "Our retention policy is ninety days.": ["we.retention policy=ninety days"],
}
