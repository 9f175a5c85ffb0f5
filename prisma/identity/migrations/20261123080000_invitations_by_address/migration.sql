-- What every column means: prisma/identity/schema.prisma. What an address was sent by all organizations together is asked at each invitation.

CREATE INDEX "invitations_email_sent_at_idx" ON "invitations"("email", "sent_at");
